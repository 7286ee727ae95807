// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.engines.redlock.MasterReply;
import io.quorumlock.faults.ConnectionFault.Kind;
import io.quorumlock.testing.Ask;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.RealFleet;
import io.quorumlock.testing.RedisCli;
import io.quorumlock.testing.RedisServer;
import io.quorumlock.testing.RedisServers;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RedisProxyIT {
    private static final Duration TTL = Duration.ofSeconds(20);
    /** The wait for replies that do not come. */
    private static final Duration SHORT = Duration.ofSeconds(2);

    private static RedisServer redis;
    private RedisProxy proxy;
    private RedisCli cli;

    @BeforeAll
    static void start() {
        redis = RedisServers.start(1).get(0);
    }

    @AfterAll
    static void stop() {
        redis.close();
    }

    @BeforeEach
    void open() {
        redis.cli("FLUSHALL");
        proxy = new RedisProxy(redis.url());
        cli = RedisCli.connect(proxy.url());
    }

    @AfterEach
    void close() {
        cli.close();
        proxy.close();
    }

    @Test
    void forwardsUnchangedWithoutFault() {
        assertEquals("OK", cli.send("SET", "k", "v\r\n$3"));
        assertEquals("v\r\n$3", cli.send("GET", "k"));
        assertTrue(cli.send("INFO", "server").toString().contains("redis_version"));
    }

    @ParameterizedTest
    @EnumSource(names = {"DROP_REPLY", "SWALLOW_REPLIES"})
    void commandTakesEffectAndReplyIsLost(Kind kind) {
        reconnectWithShortTimeout();
        ConnectionFault fault = inject(kind);
        assertThrows(UncheckedIOException.class, () -> cli.send("INCR", "k"));
        Eventually.holds("took effect", () -> redis.cli("GET", "k").equals("1"));
        assertEquals(1, fault.count());
    }

    @ParameterizedTest
    @EnumSource(names = {"RESET", "HALF_OPEN", "SWALLOW_REQUESTS"})
    void commandIsLost(Kind kind) {
        reconnectWithShortTimeout();
        ConnectionFault fault = inject(kind);
        assertThrows(UncheckedIOException.class, () -> cli.send("INCR", "k"));
        proxy.heal();
        assertThrows(UncheckedIOException.class, () -> cli.send("INCR", "k"));
        assertEquals(RedisCli.NIL, redis.cli("GET", "k"));
        assertEquals(1, fault.count());
    }

    @Test
    void deliversHeldCommandsOfClosedConnectionsLate() {
        reconnectWithShortTimeout();
        inject(Kind.HOLD);
        assertThrows(UncheckedIOException.class, () -> cli.send("INCR", "k"));
        cli.close();
        assertEquals(RedisCli.NIL, redis.cli("GET", "k"));
        proxy.heal();
        Eventually.holds("released", () -> redis.cli("GET", "k").equals("1"));
    }

    @Test
    void refusesConnectionsUntilRestored() {
        inject(Kind.REFUSE);
        assertThrows(UncheckedIOException.class, () -> RedisCli.connect(proxy.url()));
        proxy.heal();
        try (RedisCli again = RedisCli.connect(proxy.url())) {
            assertEquals("PONG", again.send("PING"));
        }
    }

    @Test
    void repliesLikeLoadingServer() {
        inject(Kind.LOADING);
        assertTrue(cli.send("INCR", "k").toString().startsWith("(error) LOADING"));
        proxy.heal();
        assertEquals(1L, cli.send("INCR", "k"));
    }

    @Test
    void affectsOnlySelectedCommand() {
        proxy.inject(new ConnectionFault(Kind.RESET, "incr", Duration.ZERO));
        assertEquals("PONG", cli.send("PING"));
        assertThrows(UncheckedIOException.class, () -> cli.send("INCR", "k"));
    }

    @Test
    void affectsOnlySelectedScriptOfTheService() {
        ResourceName name = new ResourceName("a");
        LeaseToken token = new LeaseToken("token-of-client-A");
        try (RealFleet fleet = new RealFleet(proxy.url())) {
            ConnectionFault fault = new ConnectionFault(Kind.DROP_REPLY, "release", Duration.ZERO);
            proxy.inject(fault);
            assertInstanceOf(
                    MasterReply.Granted.class, fleet.ask(Ask.acquire(name, token, "a1", TTL, Optional.empty())));
            assertEquals(0, fault.count());
            assertInstanceOf(MasterReply.Failed.class, fleet.ask(Ask.release(name, token)));
            assertEquals(1, fault.count());
        }
    }

    @Test
    void forwardsAnnouncements() {
        cli.send("SUBSCRIBE", "news");
        redis.cli("PUBLISH", "news", "first");
        redis.cli("PUBLISH", "news", "second");
        assertEquals(List.of("message", "news", "first"), cli.send("PING"));
        assertEquals(List.of("message", "news", "second"), cli.send("PING"));
        assertEquals(List.of("pong", ""), cli.send("PING"));
    }

    @Test
    void closesConnectionsOfKilledMaster() {
        redis.restart();
        assertThrows(UncheckedIOException.class, () -> cli.send("PING"));
    }

    private void reconnectWithShortTimeout() {
        cli.close();
        cli = RedisCli.connect(proxy.url(), SHORT);
    }

    private ConnectionFault inject(Kind kind) {
        ConnectionFault fault = new ConnectionFault(kind, "*", Duration.ZERO);
        proxy.inject(fault);
        return fault;
    }
}
