// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redlock;

import static io.quorumlock.testing.FakeFleet.A;
import static io.quorumlock.testing.FakeFleet.B;
import static io.quorumlock.testing.FakeFleet.RESOURCE;
import static io.quorumlock.testing.FakeFleet.TTL;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.lock.AcquireTerms;
import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.Extension;
import io.quorumlock.core.lock.ForcedRelease;
import io.quorumlock.core.lock.ForcedRelease.Broken;
import io.quorumlock.core.lock.ForcedRelease.Free;
import io.quorumlock.core.lock.ForcedRelease.LeftAlone;
import io.quorumlock.core.lock.ForcedRelease.NoQuorum;
import io.quorumlock.core.lock.ForcedRelease.Unconfirmed;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.LockDirectory.ForceTerms;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.lock.NoQuorumReason.Effect;
import io.quorumlock.core.lock.Owner;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.testing.Ask;
import io.quorumlock.testing.FakeFleet;
import io.quorumlock.testing.FakeMaster.Fault;
import io.quorumlock.testing.Proves;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Forced releases delete only locks that existed at the call (R3, R6). */
@Proves({"S4", "R3", "R6"})
class ForcedReleaseTest {
    private static final Duration ROUND_TRIP = Duration.ofMillis(10);

    private final FakeFleet fleet = new FakeFleet(5);

    @Test
    void breaksLeaseOnEveryMasterAndReturnsOwner() {
        Optional<Owner> owner = Optional.of(new Owner("worker-1"));
        fleet.await(fleet.engine.acquire(
                RESOURCE, new AcquireTerms(TTL, Duration.ZERO, Optional.of(A), owner, LockKind.EXCLUSIVE)));
        assertEquals(new Broken(owner), fleet.force());
        assertEquals(0, fleet.holding());
    }

    @Test
    void deletesBrokenLeaseOnMastersThatReplyLater() {
        fleet.acquire(A);
        fleet.extend(A);
        fleet.setFault(Fault.SILENT, 4, 5);
        assertInstanceOf(Broken.class, fleet.force());
        assertEquals(2, fleet.holding());
        fleet.heal();
        fleet.time.pass(Duration.ofSeconds(2));
        assertEquals(0, fleet.holding());
    }

    /** A client whose request was not answered repeats it, and does not know that the lease was broken. */
    @Test
    void keepsNewLeaseOfRepeatedAcquire() {
        fleet.acquire(A);
        fleet.setFault(Fault.SILENT, 4, 5);
        assertInstanceOf(Broken.class, fleet.force());
        fleet.heal();
        assertInstanceOf(Acquisition.Acquired.class, fleet.acquire(A));
        fleet.time.pass(Duration.ofSeconds(2));
        assertEquals(5, fleet.holding());
    }

    @Test
    void breaksLockOnMinority() {
        put(A, 1, 2);
        assertInstanceOf(Broken.class, fleet.force());
        assertEquals(0, fleet.holding());
    }

    @Test
    void breaksAllLocksWithoutMajorityHolder() {
        put(A, 1, 2);
        put(B, 3, 4);
        assertInstanceOf(Broken.class, fleet.force());
        assertEquals(0, fleet.holding());
    }

    @Test
    void leavesVotesOfAnotherAttemptToItsCleanUp() {
        put(A, 1, 2, 3);
        put(B, 4);
        assertInstanceOf(Broken.class, fleet.force());
        assertEquals(1, fleet.holding());
    }

    @Test
    void breaksLeaseThatIsExtendedConcurrently() {
        fleet.acquire(A);
        CompletableFuture<ForcedRelease> forced = startForcedRelease();
        fleet.engine.extend(RESOURCE, A, TTL);
        assertInstanceOf(Broken.class, fleet.await(forced));
        assertEquals(0, fleet.holding());
    }

    /** The other holder extends, so that its value is another one, and releases before the next look. */
    @Test
    void reportsOneOfSeveralHoldersAsBroken() {
        List.of(A, B).forEach(token -> fleet.await(fleet.engine.acquire(ResourceNames.of(RESOURCE), shared(token))));
        CompletableFuture<ForcedRelease> forced = startForcedRelease();
        fleet.engine.extend(RESOURCE, B, TTL);
        fleet.time.pass(ROUND_TRIP.plusMillis(2));
        fleet.engine.release(RESOURCE, B);
        assertInstanceOf(Broken.class, fleet.await(forced));
    }

    private static AcquireTerms shared(LeaseToken token) {
        return new AcquireTerms(TTL, Duration.ZERO, Optional.of(token), Optional.empty(), LockKind.SHARED);
    }

    @Test
    void doesNotBreakLeaseOfLaterHolder() {
        fleet.acquire(A);
        CompletableFuture<ForcedRelease> forced = startForcedRelease();
        fleet.engine.release(RESOURCE, A);
        fleet.engine.acquire(RESOURCE, FakeFleet.terms(B));
        assertEquals(new LeftAlone(ForcedRelease.Reason.CHANGED_HANDS), fleet.await(forced));
        assertInstanceOf(Extension.Extended.class, fleet.extend(B));
    }

    @Test
    void reportsConcurrentlyReleasedLeaseAsFree() {
        fleet.acquire(A);
        CompletableFuture<ForcedRelease> forced = startForcedRelease();
        fleet.engine.release(RESOURCE, A);
        assertEquals(new Free(), fleet.await(forced));
    }

    /**
     * R3: a delayed delete runs when the master is back, and does not affect a later lease, not even of the same token.
     */
    @Test
    void lateDeleteDoesNotAffectLaterLeaseOfSameToken() {
        fleet.acquire(A);
        CompletableFuture<ForcedRelease> forced = startForcedRelease();
        fleet.setFault(Fault.SILENT, 4, 5);
        assertInstanceOf(Broken.class, fleet.await(forced));
        fleet.masters.subList(3, 5).forEach(master -> master.forget());
        fleet.heal();
        assertInstanceOf(Acquisition.Acquired.class, fleet.acquire(A));
        fleet.time.pass(Duration.ofSeconds(1));
        assertEquals(5, fleet.holding());
        assertEquals(0, fleet.directory.cleanUpsPending());
    }

    @Test
    void deletesLockOnMinorityThatDidNotConfirm() {
        fleet.acquire(A);
        CompletableFuture<ForcedRelease> forced = startForcedRelease();
        fleet.setFault(Fault.DOWN, 1);
        fleet.setFault(Fault.SILENT, 2);
        assertInstanceOf(Broken.class, fleet.await(forced));
        fleet.heal();
        fleet.time.pass(Duration.ofMillis(200));
        assertEquals(0, fleet.holding());
    }

    @Test
    void changesNothingWithoutMajority() {
        fleet.acquire(A);
        fleet.setFault(Fault.SILENT, 1, 2, 3);
        NoQuorum none = assertInstanceOf(NoQuorum.class, fleet.force());
        assertEquals(Effect.NONE, none.why().effect());
        assertEquals(5, fleet.holding());
    }

    @Test
    void reportsUnconfirmedDeletesAndRetriesThem() {
        fleet.acquire(A);
        CompletableFuture<ForcedRelease> forced = startForcedRelease();
        fleet.setFault(Fault.SILENT, 1, 2, 3);
        Unconfirmed unconfirmed = assertInstanceOf(Unconfirmed.class, fleet.await(forced));
        assertTrue(unconfirmed.remaining().compareTo(TTL) <= 0);
        fleet.heal();
        fleet.time.pass(Duration.ofMillis(200));
        assertEquals(0, fleet.holding());
    }

    /** S1: the lease of a bare majority is broken. Master 3 forgot it, and the replies of the others to the delete are lost. */
    @ParameterizedTest
    @EnumSource(
            value = Fault.class,
            names = {"MUTE", "DOWN"})
    void doesNotReportLockAsFreeWhoseDeletesGotNoReply(Fault fault) {
        fleet.setFault(Fault.DOWN, 4, 5);
        fleet.acquire(A);
        fleet.heal();
        fleet.master(3).forget();
        CompletableFuture<ForcedRelease> forced = startForcedRelease();
        fleet.setFault(fault, 1, 2);
        assertInstanceOf(Unconfirmed.class, fleet.await(forced));
        fleet.heal();
        fleet.time.pass(Duration.ofMillis(200));
        assertEquals(0, fleet.holding());
    }

    @Test
    void completesForcedReleaseOfDisconnectedCaller() {
        fleet.acquire(A);
        startForcedRelease().cancel(true);
        fleet.time.pass(ROUND_TRIP.multipliedBy(4));
        assertEquals(0, fleet.holding());
        assertTrue(fleet.events.outcomes.contains(new Broken(Optional.empty())));
    }

    @Test
    void leavesNothingBehind() {
        fleet.acquire(A);
        fleet.setFault(Fault.DOWN, 1);
        fleet.force();
        fleet.time.pass(TTL.plusSeconds(2));
        assertEquals(0, fleet.directory.cleanUpsPending());
        assertEquals(0, fleet.time.pending());
    }

    /** Starts a forced release. Returns after all masters replied to the read, when the deletes are in flight. */
    private CompletableFuture<ForcedRelease> startForcedRelease() {
        fleet.masters.forEach(master -> master.answerAfter(ROUND_TRIP));
        CompletableFuture<ForcedRelease> forced = fleet.directory.forceRelease(RESOURCE, ForceTerms.ALL);
        fleet.time.pass(ROUND_TRIP.minusMillis(1));
        return forced;
    }

    private void put(LeaseToken token, int... numbers) {
        for (int number : numbers) {
            Ask.acquire(RESOURCE, token, "attempt." + number, TTL, Optional.empty())
                    .put(fleet.master(number), granted -> {});
        }
        fleet.time.pass(Duration.ZERO);
    }
}
