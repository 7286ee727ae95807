// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.lock.NodeFailure;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.lock.ResourcePrefix;
import io.quorumlock.redlock.LockNode.NameRange;
import io.quorumlock.redlock.NodeReply;
import io.quorumlock.redlock.NodeReply.Failed;
import io.quorumlock.redlock.NodeReply.Granted;
import io.quorumlock.redlock.NodeReply.Holding;
import io.quorumlock.redlock.NodeReply.Refused;
import io.quorumlock.testing.Ask;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.RealFleet;
import io.quorumlock.testing.RealLoop;
import io.quorumlock.testing.RedisServer;
import io.quorumlock.testing.RedisServers;
import io.quorumlock.time.MonotonicTime;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The node contract on a real Redis, and tests that need a real Redis. */
class RedisNodeContractTest extends ScanContract {
    private static final ResourceName ODD = new ResourceName("odd");
    private static RedisServer redis;
    private static RealFleet fleet;

    @BeforeAll
    static void start() {
        redis = RedisServers.start(1).get(0);
        fleet = new RealFleet(redis.url());
    }

    @AfterAll
    static void stop() {
        fleet.close();
        redis.close();
    }

    @Override
    NodeReply ask(Ask question) {
        CompletableFuture<NodeReply> reply = new CompletableFuture<>();
        fleet.onLoop(() -> question.put(fleet.node(), reply::complete));
        return RealLoop.await(reply);
    }

    @Override
    MonotonicTime now() {
        return new MonotonicTime(System.nanoTime());
    }

    @Override
    int extensionsMax() {
        return RealFleet.EXTENSIONS_MAX;
    }

    @Test
    void refusesForLockOfAnotherProgramWithoutOwner() {
        redis.cli("SET", "lock:foreign", "4711", "PX", "10000");
        Refused refused = assertInstanceOf(Refused.class, acquire(new ResourceName("foreign")));
        assertEquals(Optional.empty(), refused.owner());
    }

    @Test
    void failsEveryCommandOnValueOfWrongType() {
        redis.cli("RPUSH", "lock:odd", "x");
        Failed wrongType = new Failed(NodeFailure.WRONGTYPE, true);
        assertEquals(wrongType, acquire(ODD));
        assertEquals(wrongType, ask(Ask.extend(ODD, A, TTL)));
        assertEquals(wrongType, ask(Ask.release(ODD, A)));
        assertEquals(wrongType, ask(Ask.inspect(ODD)));
    }

    @Test
    void nodeOutOfMemoryStillReleases() {
        ResourceName resource = new ResourceName("memory");
        acquire(resource);
        redis.cli("CONFIG", "SET", "maxmemory", "1");
        try {
            assertEquals(new Failed(NodeFailure.OOM, true), acquire(new ResourceName("more")));
            assertInstanceOf(NodeReply.Deleted.class, ask(Ask.release(resource, A)));
        } finally {
            redis.cli("CONFIG", "SET", "maxmemory", "0");
        }
    }

    /** R8: no command is sent again; the scripts are loaded for the next one. */
    @Test
    void reloadsFlushedScriptsAfterOneFailure() {
        redis.cli("SCRIPT", "FLUSH");
        assertEquals(new Failed(NodeFailure.NOSCRIPT, true), acquire(new ResourceName("flushed")));
        Eventually.within(
                Duration.ofSeconds(5),
                "scripts are loaded again",
                () -> acquire(new ResourceName("flushed")) instanceof Granted);
    }

    @Test
    void rejectsVotesOfReplicas() {
        redis.cli("REPLICAOF", "127.0.0.1", "1");
        try {
            assertEquals(new Failed(NodeFailure.READONLY, true), acquire(new ResourceName("replica")));
        } finally {
            redis.cli("REPLICAOF", "NO", "ONE");
        }
    }

    /** R10: a lease counts as new, not as one whose token was checked, if the wall clock was set back by milliseconds. */
    @Test
    void reportsNoNegativeAge() {
        ResourceName resource = new ResourceName("age");
        acquire(resource);
        redis.cli("PEXPIRE", "lock:age", Long.toString(TTL.toMillis() + 5_000));
        assertEquals(
                Optional.of(Duration.ZERO),
                assertInstanceOf(NodeReply.Adopted.class, acquire(resource)).age());
        assertEquals(
                Optional.of(Duration.ZERO),
                assertInstanceOf(NodeReply.Extended.class, ask(Ask.extend(resource, A, TTL)))
                        .age());
    }

    @Test
    void invalidCounterFailsVoteWithoutLock() {
        redis.cli("RPUSH", new KeyPrefixes("lock:", "fence:").counterOf(new ResourceName("broken")), "x");
        assertEquals(new Failed(NodeFailure.WRONGTYPE, true), acquire(new ResourceName("broken")));
        assertEquals("0", redis.cli("EXISTS", "lock:broken"));
    }

    /** R10: fencing tokens are derived from the wall clock. */
    @Test
    void readsWallClockWithEveryReply() {
        long before = seconds();
        acquire(new ResourceName("clock"));
        long read = fleet.node().wallClock().orElseThrow() / 1_000;
        assertTrue(before <= read && read <= seconds(), () -> before + " <= " + read);
    }

    private static long seconds() {
        return Long.parseLong(redis.cli("TIME").replaceAll("\\D*(\\d+)(?s:.*)", "$1"));
    }

    @Test
    void scanSkipsForeignValues() {
        redis.cli("SET", "lock:mixed/plain", "4711", "PX", "10000");
        redis.cli("SET", "lock:mixed/words", "six words that are no lock", "PX", "10000");
        redis.cli("SET", "lock:mixed/large", "x".repeat(100_000));
        redis.cli("RPUSH", "lock:mixed/list", "x");
        redis.cli("SET", "lock:mixed//no/name", "token-of-client-A a1 0 - 1000 ");
        acquire(new ResourceName("mixed/ours"));
        NameRange all = new NameRange(new ResourcePrefix("mixed"), Optional.empty(), Optional.empty());
        assertEquals(Set.of(new ResourceName("mixed/ours")), scan(all));
    }

    @Test
    void foreignLockHasNoAttempt() {
        redis.cli("SET", "lock:unknown", "4711", "PX", "10000");
        Holding holding = assertInstanceOf(Holding.class, ask(Ask.inspect(new ResourceName("unknown"))));
        assertEquals(Optional.empty(), holding.attempt());
    }

    private NodeReply acquire(ResourceName resource) {
        return ask(Ask.acquire(resource, A, "a1", TTL, Optional.empty()));
    }
}
