// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.fleet.ServerFailure;
import io.quorumlock.core.lock.AcquireTerms;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.lock.ResourcePrefix;
import io.quorumlock.core.loop.MonotonicTime;
import io.quorumlock.engines.masters.RestartGuard;
import io.quorumlock.engines.redlock.LockMaster.NameRange;
import io.quorumlock.engines.redlock.MasterReply;
import io.quorumlock.engines.redlock.MasterReply.Failed;
import io.quorumlock.engines.redlock.MasterReply.Granted;
import io.quorumlock.engines.redlock.MasterReply.Held;
import io.quorumlock.engines.redlock.MasterReply.Held.Holding;
import io.quorumlock.engines.redlock.MasterReply.Refused;
import io.quorumlock.testing.Ask;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.Proves;
import io.quorumlock.testing.RealFleet;
import io.quorumlock.testing.RedisServer;
import io.quorumlock.testing.RedisServers;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The master contract on a real Redis, and tests that need a real Redis. */
@Proves({"S3", "S4", "R3", "R6", "R7"})
class RedisMasterContractTest extends ScanContract {
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
    MasterReply ask(Ask question) {
        return fleet.ask(question);
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
        assertEquals(Optional.empty(), refused.taken().get(0).owner());
    }

    @Test
    void failsEveryCommandOnValueOfWrongType() {
        redis.cli("RPUSH", "lock:odd", "x");
        Failed wrongType = new Failed(ServerFailure.WRONGTYPE, true);
        assertEquals(wrongType, acquire(ODD));
        assertEquals(wrongType, ask(Ask.extend(ODD, A, TTL)));
        assertEquals(wrongType, ask(Ask.release(ODD, A)));
        assertEquals(wrongType, ask(Ask.inspect(ODD)));
    }

    @Test
    void masterOutOfMemoryStillReleases() {
        ResourceName resource = new ResourceName("memory");
        acquire(resource);
        redis.cli("CONFIG", "SET", "maxmemory", "1");
        try {
            assertEquals(new Failed(ServerFailure.OOM, true), acquire(new ResourceName("more")));
            assertInstanceOf(MasterReply.Deleted.class, ask(Ask.release(resource, A)));
        } finally {
            redis.cli("CONFIG", "SET", "maxmemory", "0");
        }
    }

    /** Another version would not understand the values: raise the version of the layout with each change here. */
    @Test
    void valuesHaveTheLayoutOfTheMasters() {
        assertEquals("1", RestartGuard.LAYOUT);
        String fields = A.text() + " attempt 0 \\d+ 10000";
        ask(joining("layout", LockKind.EXCLUSIVE, OptionalInt.empty()));
        assertMatches(fields + " ", redis.cli("GET", "lock:layout"));
        ask(joining("layout/shared", LockKind.SHARED, OptionalInt.empty()));
        assertMatches("/shared \\d+ 0", redis.cli("HGET", "lock:layout/shared", ""));
        assertMatches("\\d+ " + fields + "/shared ", redis.cli("HGET", "lock:layout/shared", A.text()));
        ask(joining("layout/slots", LockKind.ofSlots(4), OptionalInt.of(2)));
        assertMatches("/slots4 \\d+ 0", redis.cli("HGET", "lock:layout/slots", ""));
        assertMatches("\\d+ " + fields + "/slots4.2 ", redis.cli("HGET", "lock:layout/slots", A.text()));
    }

    private static Ask joining(String name, LockKind kind, OptionalInt slot) {
        AcquireTerms terms =
                new AcquireTerms(Duration.ofSeconds(10), Duration.ZERO, Optional.of(A), Optional.empty(), kind);
        return Ask.acquire(new ResourceName(name), A, "attempt", Ask.CANDIDATE, terms, slot);
    }

    private static void assertMatches(String pattern, String value) {
        assertTrue(value.matches(pattern), () -> value + " does not match " + pattern);
    }

    /** R8: no command is sent again; the scripts are loaded for the next one. */
    @Test
    void reloadsFlushedScriptsAfterOneFailure() {
        redis.cli("SCRIPT", "FLUSH");
        assertEquals(new Failed(ServerFailure.NOSCRIPT, true), acquire(new ResourceName("flushed")));
        Eventually.holds("scripts are loaded again", () -> acquire(new ResourceName("flushed")) instanceof Granted);
    }

    @Test
    void rejectsVotesOfReplicas() {
        redis.cli("REPLICAOF", "127.0.0.1", "1");
        try {
            assertEquals(new Failed(ServerFailure.READONLY, true), acquire(new ResourceName("replica")));
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
                assertInstanceOf(MasterReply.Adopted.class, acquire(resource)).age());
        assertEquals(
                Optional.of(Duration.ZERO),
                assertInstanceOf(MasterReply.Extended.class, ask(Ask.extend(resource, A, TTL)))
                        .age());
    }

    @Test
    void invalidCounterFailsVoteWithoutLock() {
        redis.cli("RPUSH", new KeyPrefixes("lock:", "fence:").counterOf(new ResourceName("broken")), "x");
        assertEquals(new Failed(ServerFailure.WRONGTYPE, true), acquire(new ResourceName("broken")));
        assertEquals("0", redis.cli("EXISTS", "lock:broken"));
    }

    /** R10: fencing tokens are derived from the wall clock. */
    @Test
    void readsWallClockWithEveryReply() {
        long before = seconds();
        acquire(new ResourceName("clock"));
        long read = fleet.master().wallClock().orElseThrow() / 1_000;
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
        Holding holding = assertInstanceOf(Held.class, ask(Ask.inspect(new ResourceName("unknown"))))
                .all()
                .get(0);
        assertEquals(Optional.empty(), holding.attempt());
    }

    @Test
    void foreignLockWithoutEndIsHeld() {
        redis.cli("SET", "lock:endless", "4711");
        Holding holding = assertInstanceOf(Held.class, ask(Ask.inspect(new ResourceName("endless"))))
                .all()
                .get(0);
        assertEquals(Duration.ofDays(1), holding.remaining());
    }

    /** Reading all holders takes a time in proportion to their number. */
    @Test
    void readsAllHoldersOnlyOnceAfterOneHasEnded() {
        ResourceName resource = new ResourceName("readers");
        for (int reader = 1; reader <= 4; reader++) {
            share(resource, reader);
        }
        ask(Ask.keep(resource, reader(1), Duration.ofMillis(1)));
        Eventually.holds(
                "one holder has ended",
                () -> ask(Ask.inspect(resource)) instanceof Held held
                        && held.all().size() == 3);
        redis.cli("CONFIG", "RESETSTAT");
        assertInstanceOf(MasterReply.Deleted.class, ask(Ask.release(resource, reader(2))));
        share(resource, 5);
        assertInstanceOf(MasterReply.Deleted.class, ask(Ask.release(resource, reader(3))));
        assertFalse(redis.cli("INFO", "commandstats").contains("hgetall"));
    }

    private void share(ResourceName resource, int reader) {
        AcquireTerms terms =
                new AcquireTerms(TTL, Duration.ZERO, Optional.of(reader(reader)), Optional.empty(), LockKind.SHARED);
        assertInstanceOf(Granted.class, ask(Ask.acquire(resource, reader(reader), "a" + reader, fence(reader), terms)));
    }

    private static LeaseToken reader(int number) {
        return new LeaseToken("token-of-reader-" + number);
    }

    private MasterReply acquire(ResourceName resource) {
        return ask(Ask.acquire(resource, A, "a1", TTL, Optional.empty()));
    }
}
