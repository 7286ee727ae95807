package io.quorumlock.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.faults.Mischief.Kind;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.RedisCli;
import io.quorumlock.testing.RedisServer;
import io.quorumlock.testing.RedisServers;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RedisProxyTest {
    private static final Duration SOON = Duration.ofSeconds(5);

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
    void withoutMischiefItIsNotNoticed() {
        assertEquals("OK", cli.send("SET", "k", "v\r\n$3"));
        assertEquals("v\r\n$3", cli.send("GET", "k"));
        assertTrue(cli.send("INFO", "server").toString().contains("redis_version"));
    }

    @ParameterizedTest
    @EnumSource(names = {"DROP_REPLY", "SWALLOW_REPLIES"})
    void theCommandTakesEffectAndItsReplyIsLost(Kind kind) {
        Mischief mischief = misbehave(kind);
        assertThrows(UncheckedIOException.class, () -> cli.send("INCR", "k"));
        assertEquals("1", redis.cli("GET", "k"));
        assertEquals(1, mischief.count());
    }

    @ParameterizedTest
    @EnumSource(names = {"RESET", "HALF_OPEN", "SWALLOW_REQUESTS"})
    void theCommandNeverComesThrough(Kind kind) {
        Mischief mischief = misbehave(kind);
        assertThrows(UncheckedIOException.class, () -> cli.send("INCR", "k"));
        proxy.behave();
        assertThrows(UncheckedIOException.class, () -> cli.send("INCR", "k"));
        assertEquals(RedisCli.NIL, redis.cli("GET", "k"));
        assertEquals(1, mischief.count());
    }

    @Test
    void deliversHeldCommandsOfClosedConnectionsLate() {
        misbehave(Kind.HOLD);
        assertThrows(UncheckedIOException.class, () -> cli.send("INCR", "k"));
        cli.close();
        assertEquals(RedisCli.NIL, redis.cli("GET", "k"));
        proxy.behave();
        Eventually.within(SOON, "released", () -> redis.cli("GET", "k").equals("1"));
    }

    @Test
    void whileItRefusesNobodyConnectsAndAfterwardsEverybody() {
        misbehave(Kind.REFUSE);
        assertThrows(UncheckedIOException.class, () -> RedisCli.connect(proxy.url()));
        proxy.behave();
        try (RedisCli again = RedisCli.connect(proxy.url())) {
            assertEquals("PONG", again.send("PING"));
        }
    }

    @Test
    void itAnswersAsAServerThatLoads() {
        misbehave(Kind.LOADING);
        assertTrue(cli.send("INCR", "k").toString().startsWith("(error) LOADING"));
        proxy.behave();
        assertEquals(1L, cli.send("INCR", "k"));
    }

    @Test
    void onlyTheCommandThatIsLookedForIsHit() {
        proxy.misbehave(new Mischief(Kind.RESET, "incr", Duration.ZERO));
        assertEquals("PONG", cli.send("PING"));
        assertThrows(UncheckedIOException.class, () -> cli.send("INCR", "k"));
    }

    @Test
    void carriesAnnouncementsThatAnswerNoCommand() {
        cli.send("SUBSCRIBE", "news");
        redis.cli("PUBLISH", "news", "first");
        redis.cli("PUBLISH", "news", "second");
        assertEquals(List.of("message", "news", "first"), cli.send("PING"));
        assertEquals(List.of("message", "news", "second"), cli.send("PING"));
        assertEquals(List.of("pong", ""), cli.send("PING"));
    }

    @Test
    void aMasterThatDiesTakesItsConnectionsWithIt() {
        redis.restart();
        assertThrows(UncheckedIOException.class, () -> cli.send("PING"));
    }

    private Mischief misbehave(Kind kind) {
        Mischief mischief = new Mischief(kind, "*", Duration.ZERO);
        proxy.misbehave(mischief);
        return mischief;
    }
}
