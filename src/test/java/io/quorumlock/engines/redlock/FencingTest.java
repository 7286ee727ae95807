// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redlock;

import static io.quorumlock.testing.FakeFleet.A;
import static io.quorumlock.testing.FakeFleet.B;
import static io.quorumlock.testing.FakeFleet.RESOURCE;
import static io.quorumlock.testing.FakeFleet.TTL;
import static io.quorumlock.testing.FakeFleet.terms;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.lock.AcquireTerms;
import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.Extension;
import io.quorumlock.core.lock.FencingToken;
import io.quorumlock.core.lock.Inspection;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.testing.Ask;
import io.quorumlock.testing.FakeFleet;
import io.quorumlock.testing.FakeMaster;
import io.quorumlock.testing.FakeMaster.Fault;
import io.quorumlock.testing.Proves;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** R10: fencing tokens of one resource grow in the order of the grants. */
@Proves({"S3", "R10"})
class FencingTest {
    /** Longer than the longest TTL. */
    private static final Duration QUARANTINE = Duration.ofSeconds(62);

    /** An eighth of the longest TTL. */
    private static final long TOLERANCE = FakeFleet.TTL_MAX.toMillis() / 8 * 1_024;

    private final FakeFleet fleet = new FakeFleet(5);

    @Test
    void needsOneRoundWhenMastersAgree() {
        grantTo(A);
        assertEquals(1, fleet.master(1).commands());
    }

    /** Each grant misses other masters; the next quorum must still know the largest token. */
    @Test
    void tokensGrowWhenEachGrantHasAnotherMajority() {
        long last = 0;
        int[][] minorities = {{1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 1}, {1, 3}, {2, 4}, {3, 5}};
        for (int[] away : minorities) {
            fleet.setFault(Fault.DOWN, away);
            long fence = grantTo(A);
            assertTrue(fence > last, fence + " after " + last);
            last = fence;
            fleet.release(A);
            fleet.heal();
            fleet.time.pass(Duration.ofSeconds(2));
        }
    }

    /**
     * Only one master has a counter larger than the candidate. The token of its grant must still be smaller than that of
     * the next grant without this master.
     */
    @Test
    void raisesTokenKnownToTooFewMastersBeforeGrant() {
        incrementCounterOfMasterOne();
        long first = grantTo(A);
        fleet.release(A);
        fleet.setFault(Fault.DOWN, 1);
        assertTrue(grantTo(B) > first);
    }

    /** A check of the token must not refuse the holder. */
    @Test
    void inspectionShowsTheTokenThatTheHolderKnowsAfterALateVote() {
        incrementCounterOfMasterOne();
        fleet.master(1).answerAfter(Duration.ofMillis(10));
        long fence = grantTo(A);
        fleet.time.pass(Duration.ofMillis(20));
        Inspection.Held held = assertInstanceOf(Inspection.Held.class, fleet.inspect());
        assertEquals(fence, held.first().fence().orElseThrow().number());
    }

    @Test
    void doesNotGrantLeaseIfNoQuorumStoresTheToken() {
        incrementCounterOfMasterOne();
        fleet.masters.forEach(master -> master.answerAfter(Duration.ofMillis(10)));
        CompletableFuture<Acquisition> answer = fleet.engine.acquire(RESOURCE, terms(A));
        fleet.time.pass(Duration.ofMillis(9));
        fleet.setFault(Fault.SILENT, 1, 2, 3);
        assertInstanceOf(Acquisition.NoQuorum.class, fleet.await(answer));
    }

    /** The repeated acquire writes newer tokens on the masters that missed the grant. */
    @Test
    void raisesTokenAfterReplayOnMastersThatMissedGrant() {
        fleet.setFault(Fault.DOWN, 1, 2);
        long fence = grantTo(A);
        fleet.heal();
        Acquisition.Replayed again = assertInstanceOf(Acquisition.Replayed.class, fleet.acquire(A));
        assertEquals(fence, again.lease().fence().number());
        Extension.Extended extended = assertInstanceOf(Extension.Extended.class, fleet.extend(A));
        long raised = extended.lease().fence().number();
        assertTrue(raised > fence, raised + " after " + fence);
        fleet.setFault(Fault.DOWN, 1, 2);
        Inspection.Held held = assertInstanceOf(Inspection.Held.class, fleet.inspect());
        assertEquals(Optional.of(extended.lease().fence()), held.first().fence());
        fleet.release(A);
        assertTrue(grantTo(B) > raised);
    }

    @Test
    void tokensGrowWhenMinorityLostItsCounters() {
        long before = grantTo(A);
        fleet.release(A);
        fleet.master(1).forget();
        fleet.master(2).forget();
        assertTrue(grantTo(B) > before);
    }

    /** R9, R10: a master has lost its data again after its quarantine, and the masters with the last token are down. */
    @Test
    void tokensGrowWhenReplicaClocksDifferAndAMasterLostItsCounter() {
        fleet.setFault(Fault.DOWN, 4, 5);
        long before = grantTo(A, fleet.replica(2, Duration.ofMinutes(5)));
        fleet.release(A);
        fleet.heal();
        fleet.master(3).forget();
        fleet.time.pass(QUARANTINE);
        fleet.setFault(Fault.DOWN, 1, 2);
        long after = grantTo(B, fleet.replica(3, Duration.ofMinutes(-5)));
        assertTrue(after > before, after + " after " + before);
    }

    /** 2^53 / 1024 milliseconds after 1970, a token from this clock would be out of range. */
    @Test
    void grantsValidTokenWhenReplicaClockIsInTheYear2250() {
        long fence = grantTo(A, fleet.replica(2, Duration.ofDays(365 * 225)));
        assertTrue(fence < 2_000_000_000_000_000L, "fence " + fence);
    }

    /** Wrong clocks of a minority have no effect, regardless of which masters grant. */
    @Test
    void tokensFollowClocksOfMajority() {
        long least = now();
        fleet.master(1).setClock(Duration.ofDays(400));
        fleet.master(2).setClock(Duration.ofDays(-400));
        assertBetween(least, grantTo(A), now());
    }

    @Test
    void ignoresClocksOutOfTokenRange() {
        fleet.master(1).setClock(Duration.ofDays(365 * 225));
        fleet.master(2).setClock(Duration.ofDays(365 * 225));
        assertBetween(now(), grantTo(A), now() + 1_024 * 50);
        fleet.release(A);
        fleet.masters.forEach(master -> master.setClock(Duration.ofDays(365 * 225)));
        assertTrue(grantTo(B) <= FencingToken.LARGEST);
    }

    /** After a suspension of the replica its clock readings are old until the votes arrive. */
    @Test
    void raisesTokenProposedFromOldReadings() {
        fleet.masters.forEach(master -> master.setClock(Duration.ofHours(-1)));
        fleet.masters.forEach(master -> master.answerAfter(Duration.ofMillis(10)));
        CompletableFuture<Acquisition> answer = fleet.engine.acquire(RESOURCE, terms(A));
        fleet.time.pass(Duration.ofMillis(9));
        fleet.masters.forEach(master -> master.setClock(Duration.ZERO));
        long fence = assertInstanceOf(Acquisition.Acquired.class, fleet.await(answer))
                .lease()
                .fence()
                .number();
        assertBetween(now() - TOLERANCE - 1_024 * 50, fence, now());
        assertEquals(fence, heldFence());
    }

    @Test
    void raisesTokenProposedBeforeFirstReading() {
        fleet.masters.forEach(FakeMaster::hideClock);
        fleet.masters.forEach(master -> master.answerAfter(Duration.ofMillis(10)));
        CompletableFuture<Acquisition> answer = fleet.engine.acquire(RESOURCE, terms(A));
        fleet.time.pass(Duration.ofMillis(9));
        fleet.masters.forEach(master -> master.setClock(Duration.ZERO));
        assertInstanceOf(Acquisition.Acquired.class, fleet.await(answer));
        assertBetween(now() - TOLERANCE - 1_024 * 50, heldFence(), now());
    }

    /** One counter that is years ahead must not raise all others. Otherwise the loss of a counter would matter. */
    @Test
    void doesNotSpreadTokenFarAheadToOtherResources() {
        incrementCounterOfMasterOne();
        grantTo(A);
        Acquisition other = fleet.await(fleet.engine.acquire(new ResourceName("other"), terms(B, TTL)));
        long fence = assertInstanceOf(Acquisition.Acquired.class, other)
                .lease()
                .fence()
                .number();
        assertBetween(now() - 1_024 * 50, fence, now() + 1_024);
    }

    @Test
    void neverProposesLessThanObservedTokens() {
        FencingClock clock = clockOfMasters();
        long seen = now() + TOLERANCE;
        clock.observe(new FencingToken(seen));
        assertEquals(seen + 1, clock.candidate().number());
        assertEquals(seen + 2, clock.candidate().number());
    }

    /** The engine grants no lease rather than a lease with a smaller token. */
    @Test
    void fullCounterFailsVote() {
        fleet.setFault(Fault.DOWN, 1, 2);
        for (int i = 3; i <= 5; i++) {
            AcquireTerms terms =
                    new AcquireTerms(TTL, Duration.ZERO, Optional.of(B), Optional.empty(), LockKind.EXCLUSIVE);
            Ask.acquire(RESOURCE, B, "full." + i, new FencingToken(FencingToken.LARGEST), terms)
                    .put(fleet.master(i), reply -> {});
            Ask.release(RESOURCE, B).put(fleet.master(i), reply -> {});
        }
        fleet.time.pass(Duration.ofMillis(1));
        assertInstanceOf(Acquisition.NoQuorum.class, fleet.acquire(A));
        fleet.heal();
        assertInstanceOf(Acquisition.NoQuorum.class, fleet.acquire(A));
        fleet.time.pass(TTL);
        assertEquals(0, fleet.holding());
    }

    private FencingClock clockOfMasters() {
        return new FencingClock(List.copyOf(fleet.masters), FakeFleet.TTL_MAX);
    }

    private long now() {
        return fleet.time.wallClock().millis() * 1_024;
    }

    private long heldFence() {
        return assertInstanceOf(Inspection.Held.class, fleet.inspect())
                .first()
                .fence()
                .orElseThrow()
                .number();
    }

    private static void assertBetween(long least, long fence, long most) {
        assertTrue(least <= fence && fence <= most, () -> least + " <= " + fence + " <= " + most);
    }

    /** The clock of another replica is years ahead, and that replica reached no other master. */
    private void incrementCounterOfMasterOne() {
        AcquireTerms terms = new AcquireTerms(TTL, Duration.ZERO, Optional.of(B), Optional.empty(), LockKind.EXCLUSIVE);
        Ask.acquire(RESOURCE, B, "ahead.1", new FencingToken(2_000_000_000_000_000L), terms)
                .put(fleet.master(1), reply -> {});
        Ask.release(RESOURCE, B).put(fleet.master(1), reply -> {});
        fleet.time.pass(Duration.ofMillis(1));
    }

    private long grantTo(LeaseToken token) {
        return grantTo(token, fleet.engine);
    }

    private long grantTo(LeaseToken token, Redlock replica) {
        Acquisition acquisition = fleet.await(replica.acquire(RESOURCE, terms(token, TTL)));
        return assertInstanceOf(Acquisition.Acquired.class, acquisition)
                .lease()
                .fence()
                .number();
    }
}
