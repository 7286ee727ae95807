// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redlock;

import static io.quorumlock.testing.FakeFleet.A;
import static io.quorumlock.testing.FakeFleet.B;
import static io.quorumlock.testing.FakeFleet.RESOURCE;
import static io.quorumlock.testing.FakeFleet.TTL;
import static io.quorumlock.testing.FakeFleet.terms;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.quorumlock.core.lock.AcquireTerms;
import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.Extension;
import io.quorumlock.core.lock.Lease;
import io.quorumlock.core.lock.Lease.Votes;
import io.quorumlock.core.lock.NoQuorumReason;
import io.quorumlock.core.lock.Release;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.testing.Ask;
import io.quorumlock.testing.FakeFleet;
import io.quorumlock.testing.FakeMaster;
import io.quorumlock.testing.FakeMaster.Fault;
import io.quorumlock.testing.Proves;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Proves({"S2", "L1", "L2", "R1", "R3", "R4", "R5", "R11"})
class AcquireTest {
    private final FakeFleet fleet = new FakeFleet(5);

    @Test
    void grantsFreeResourceInOneRound() {
        Lease lease = acquired(fleet.acquire(A));
        assertEquals(new Votes(3, 3, 5), lease.votes());
        assertEquals(Duration.ofMillis(9_898), lease.validity());
        assertEquals(5, fleet.holding());
    }

    @Test
    void refusesSecondClientWithoutLeftovers() {
        fleet.acquire(A);
        Acquisition.Held held = assertInstanceOf(Acquisition.Held.class, fleet.acquire(B));
        assertEquals(TTL, held.remaining());
        fleet.release(A);
        assertEquals(0, fleet.holding());
    }

    /** Waiters lost to the holder of the majority, so another attempt would fail too. */
    @Test
    void deletesMinorityVotesWithoutAnnouncement() {
        voteForAnother(0, 1, 2);
        assertEquals(0, announcedDeletes());
        assertEquals(3, fleet.holding());
    }

    /** A majority of these votes may have refused other clients, which now wait for an announcement. */
    @Test
    void announcesDeletesOfPossibleMajority() {
        voteForAnother(0, 1);
        fleet.setFault(Fault.MUTE, 4, 5);
        assertEquals(3, announcedDeletes());
        assertEquals(2, fleet.holding());
    }

    private void voteForAnother(int... masters) {
        for (int master : masters) {
            Ask.acquire(RESOURCE, A, "a1", TTL, Optional.empty()).put(fleet.masters.get(master), reply -> {});
        }
    }

    /** Makes a failing attempt for B, and returns the number of announced deletes. */
    private int announcedDeletes() {
        AtomicInteger announced = new AtomicInteger();
        fleet.masters.forEach(master -> master.announceTo(new FakeMaster.Subscriber() {
            @Override
            public boolean isSubscribed(ResourceName resource) {
                return true;
            }

            @Override
            public void released(ResourceName resource, long fence, int replicas) {
                announced.incrementAndGet();
            }
        }));
        assertInstanceOf(Acquisition.Held.class, fleet.acquire(B));
        fleet.heal();
        fleet.time.pass(Duration.ofSeconds(1));
        return announced.get();
    }

    @ParameterizedTest
    @EnumSource(
            value = Fault.class,
            names = {"DOWN", "MUTE", "SILENT"})
    void toleratesFailedMinority(Fault fault) {
        fleet.setFault(fault, 2, 4);
        acquired(fleet.acquire(A));
    }

    @ParameterizedTest
    @EnumSource(
            value = Fault.class,
            names = {"DOWN", "MUTE", "SILENT"})
    void reportsNoQuorumWithFailedMajorityWithoutLeftovers(Fault fault) {
        fleet.setFault(fault, 1, 2, 4);
        assertInstanceOf(Acquisition.NoQuorum.class, fleet.acquire(A));
        fleet.heal();
        fleet.time.pass(Duration.ofMillis(150));
        assertEquals(0, fleet.holding());
    }

    @Test
    void countsOnlyMastersThatReplied() {
        fleet.acquire(A);
        fleet.setFault(Fault.SILENT, 1, 2, 3, 4, 5);
        Acquisition.NoQuorum none = assertInstanceOf(Acquisition.NoQuorum.class, fleet.acquire(B));
        assertEquals(0, none.why().answered());
        Extension.Unconfirmed extension = assertInstanceOf(Extension.Unconfirmed.class, fleet.extend(A));
        assertEquals(0, extension.why().answered());
        Release.Unconfirmed release = assertInstanceOf(Release.Unconfirmed.class, fleet.release(A));
        assertEquals(0, release.why().answered());
    }

    /** R1 */
    @Test
    void rejectsTwoVotesOfFiveConfiguredMasters() {
        fleet.setFault(Fault.DOWN, 1, 2, 3);
        Acquisition.NoQuorum none = assertInstanceOf(Acquisition.NoQuorum.class, fleet.acquire(A));
        assertEquals(2, none.why().answered());
        assertEquals(3, none.why().required());
    }

    /** R15 */
    @Test
    void reportsNoEffectWhenNoMasterWasReached() {
        fleet.setFault(Fault.DOWN, 1, 2, 3, 4, 5);
        Acquisition.NoQuorum none = assertInstanceOf(Acquisition.NoQuorum.class, fleet.acquire(A));
        assertEquals(NoQuorumReason.Effect.NONE, none.why().effect());
        fleet.setFault(Fault.MUTE, 1, 2, 3, 4, 5);
        none = assertInstanceOf(Acquisition.NoQuorum.class, fleet.acquire(A));
        assertEquals(NoQuorumReason.Effect.UNKNOWN, none.why().effect());
    }

    /** R4 */
    @Test
    void rejectsQuorumAfterTtlWithoutLeftovers() {
        fleet.masters.forEach(master -> master.answerAfter(Duration.ofMillis(40)));
        AcquireTerms tooShort = terms(A, Duration.ofMillis(42));
        assertInstanceOf(Acquisition.NoQuorum.class, fleet.await(fleet.engine.acquire(RESOURCE, tooShort)));
        fleet.time.pass(Duration.ofMillis(45));
        assertEquals(0, fleet.holding());
    }

    /** R5: grants that arrive after the decision are deleted on arrival. */
    @Test
    void releasesLateGrants() {
        fleet.setFault(Fault.DOWN, 1, 2, 3);
        fleet.master(5).answerAfter(Duration.ofMillis(30));
        assertInstanceOf(Acquisition.NoQuorum.class, fleet.acquire(A));
        fleet.time.pass(Duration.ofMillis(60));
        assertEquals(0, fleet.holding());
    }

    /** R5: a master that wrote the value without replying is cleaned up as well. */
    @Test
    void deletesAppliedWriteWithoutReply() {
        fleet.setFault(Fault.MUTE, 1, 2, 3);
        assertInstanceOf(Acquisition.NoQuorum.class, fleet.acquire(A));
        fleet.time.pass(Duration.ZERO);
        assertEquals(0, fleet.holding());
    }

    /** R5, R11 */
    @Test
    void deletesVotesOfDisconnectedCaller() {
        fleet.masters.forEach(master -> master.answerAfter(Duration.ofMillis(10)));
        CompletableFuture<Acquisition> answer = fleet.engine.acquire(RESOURCE, terms(A));
        fleet.time.pass(Duration.ofMillis(5));
        answer.cancel(false);
        fleet.time.pass(Duration.ofMillis(25));
        assertEquals(0, fleet.holding());
    }

    /** A retry that reaches masters which the first attempt missed must not extend the first grant. */
    @Test
    void retryCountsOnlyTimeLeftOnMajority() {
        fleet.setFault(Fault.DOWN, 4, 5);
        fleet.acquire(A);
        fleet.heal();
        fleet.time.pass(Duration.ofSeconds(4));
        Acquisition.Replayed again = assertInstanceOf(Acquisition.Replayed.class, fleet.acquire(A));
        assertEquals(Duration.ofMillis(5_938), again.lease().validity());
    }

    /** R3 */
    @Test
    void lateCleanUpDoesNotDeleteValueOfLaterAttempt() {
        fleet.setFault(Fault.SILENT, 1, 2, 3);
        assertInstanceOf(Acquisition.NoQuorum.class, fleet.acquire(A));
        fleet.heal();
        acquired(fleet.acquire(A));
        fleet.time.pass(Duration.ofSeconds(1));
        assertInstanceOf(Release.Released.class, fleet.release(A));
    }

    /** R3 */
    @Test
    void lateCleanUpDoesNotDeleteAdoptedValue() {
        fleet.setFault(Fault.MUTE, 1, 2, 3);
        fleet.engine.acquire(RESOURCE, terms(A));
        fleet.time.pass(Duration.ofMillis(30));
        fleet.heal();
        assertInstanceOf(Acquisition.Replayed.class, fleet.acquire(A));
        fleet.time.pass(Duration.ofSeconds(1));
        assertInstanceOf(Release.Released.class, fleet.release(A));
    }

    @Test
    void reportsSplitVoteWithoutLeftovers() {
        fleet.setFault(Fault.DOWN, 1, 2);
        Redlock other = fleet.replica(2);
        fleet.master(5).answerAfter(Duration.ofMillis(4));
        CompletableFuture<Acquisition> b = other.acquire(RESOURCE, terms(B));
        fleet.setFault(Fault.DOWN, 3);
        fleet.time.pass(Duration.ofMillis(20));
        assertInstanceOf(Acquisition.NoQuorum.class, b.getNow(null));
        fleet.time.pass(Duration.ofMillis(50));
        assertEquals(0, fleet.holding());
    }

    @Test
    void reportsEachOutcomeOnce() {
        fleet.setFault(Fault.SILENT, 1, 2, 3);
        CompletableFuture<Acquisition> answer = fleet.engine.acquire(RESOURCE, terms(A));
        fleet.time.pass(Duration.ofMillis(49));
        assertNull(answer.getNow(null));
        fleet.time.pass(Duration.ofMillis(1));
        assertEquals(1, fleet.events.outcomes.size());
    }

    private static Lease acquired(Acquisition acquisition) {
        return assertInstanceOf(Acquisition.Acquired.class, acquisition).lease();
    }
}
