// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redlock;

import static io.quorumlock.testing.FakeFleet.A;
import static io.quorumlock.testing.FakeFleet.B;
import static io.quorumlock.testing.FakeFleet.RESOURCE;
import static io.quorumlock.testing.FakeFleet.TTL;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.lock.AcquireTerms;
import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.Acquisition.Acquired;
import io.quorumlock.lock.Acquisition.Held;
import io.quorumlock.lock.Extension;
import io.quorumlock.lock.FencingToken;
import io.quorumlock.lock.ForcedRelease;
import io.quorumlock.lock.Inspection;
import io.quorumlock.lock.Lease;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.LockDirectory.ForceTerms;
import io.quorumlock.lock.LockKind;
import io.quorumlock.lock.Owner;
import io.quorumlock.lock.Release;
import io.quorumlock.lock.ResourceNames;
import io.quorumlock.testing.FakeFleet;
import io.quorumlock.testing.FakeMaster.Fault;
import io.quorumlock.time.MonotonicTime;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Shared locks and semaphores. */
class KindsTest {
    private static final LockKind SHARED = LockKind.SHARED;
    private static final LockKind THREE = LockKind.ofSlots(3);

    private final FakeFleet fleet = new FakeFleet(5);

    @Test
    void sharedHoldersHoldTogetherAndKeepWriterOut() {
        assertInstanceOf(Acquired.class, acquire(SHARED, A));
        assertInstanceOf(Acquired.class, acquire(SHARED, B));
        assertInstanceOf(Held.class, acquire(LockKind.EXCLUSIVE, token(3)));
        assertEquals(2, inspect().holderCount());
        assertInstanceOf(Release.Released.class, fleet.release(A));
        assertInstanceOf(Held.class, acquire(LockKind.EXCLUSIVE, token(3)));
        assertInstanceOf(Release.Released.class, fleet.release(B));
        assertInstanceOf(Acquired.class, acquire(LockKind.EXCLUSIVE, token(3)));
        assertInstanceOf(Held.class, acquire(SHARED, A));
    }

    /** The place of a holder is kept: a writer stays out. The lock is shown as kept once nobody else has it. */
    @Test
    void keptPlaceOfSharedHolderKeepsWriterOut() {
        acquire(SHARED, A);
        acquire(SHARED, B);
        keep(A, TTL);
        assertInstanceOf(Acquired.class, acquire(SHARED, token(3)));
        assertFalse(inspect().first().kept());
        fleet.release(B);
        fleet.release(token(3));
        assertTrue(inspect().first().kept());
        assertInstanceOf(Held.class, acquire(LockKind.EXCLUSIVE, token(4)));
        fleet.time.pass(TTL);
        assertInstanceOf(Acquired.class, acquire(LockKind.EXCLUSIVE, token(4)));
    }

    /** C: an attempt for another slot may have left votes, if its deletes were lost. */
    @Test
    void extensionCountsOnlyVotesForSlotOfLease() {
        fleet.setFault(Fault.DOWN, 4, 5);
        int slot = lease(acquire(THREE, A)).slot().orElseThrow();
        fleet.heal();
        vote(THREE, (slot + 1) % 3, A, 4, 5);
        assertInstanceOf(Extension.Extended.class, fleet.extend(A));
        fleet.setFault(Fault.DOWN, 1, 2);
        assertInstanceOf(Extension.Unconfirmed.class, fleet.extend(A));
    }

    /** Each slot has another holder on the master in the middle, and the last attempt finds the slot of the first one free. */
    @Test
    void searchForSlotsIsNoSplitVote() {
        LockKind two = LockKind.ofSlots(2);
        vote(two, 0, A, 1, 2, 3);
        vote(two, 1, B, 3, 4, 5);
        assertInstanceOf(Held.class, acquire(two, token(1)));
        assertEquals(0, fleet.events.splitVotes);
    }

    /** S3 */
    @Test
    void exclusiveLeaseHasLargerFenceThanEverySharedOneBefore() {
        long largest = 0;
        for (int i = 0; i < 5; i++) {
            largest = Math.max(largest, lease(acquire(SHARED, token(i))).fence().number());
        }
        fleet.time.pass(TTL);
        assertTrue(lease(acquire(LockKind.EXCLUSIVE, A)).fence().number() > largest);
    }

    @Test
    void eachSharedHolderEndsAtItsOwnTime() {
        acquire(SHARED, A);
        fleet.time.pass(TTL.dividedBy(2));
        acquire(SHARED, B);
        fleet.time.pass(TTL.dividedBy(2));
        assertEquals(1, inspect().holderCount());
        assertInstanceOf(Extension.Lost.class, fleet.extend(A));
        assertInstanceOf(Extension.Extended.class, fleet.extend(B));
        fleet.time.pass(TTL.dividedBy(2));
        assertInstanceOf(Held.class, acquire(LockKind.EXCLUSIVE, A));
        fleet.time.pass(TTL.dividedBy(2));
        assertInstanceOf(Acquired.class, acquire(LockKind.EXCLUSIVE, A));
    }

    @Test
    void repeatedAcquireGetsSameLease() {
        for (LockKind kind : List.of(SHARED, THREE)) {
            FakeFleet other = new FakeFleet(5);
            ResourceNames name = ResourceNames.of(RESOURCE);
            Lease first = lease(other.await(other.engine.acquire(name, terms(kind, A))));
            Acquisition.Replayed again = assertInstanceOf(
                    Acquisition.Replayed.class, other.await(other.engine.acquire(name, terms(kind, A))));
            assertEquals(first.fence(), again.lease().fence());
            assertEquals(first.slot(), again.lease().slot());
        }
    }

    @Test
    void tokenHoldsLockOnOneKindOfTerms() {
        acquire(SHARED, A);
        assertInstanceOf(Acquisition.TokenInUse.class, acquire(LockKind.EXCLUSIVE, A));
        fleet.release(A);
        acquire(LockKind.EXCLUSIVE, A);
        assertInstanceOf(Acquisition.TokenInUse.class, acquire(SHARED, A));
        assertInstanceOf(Acquisition.TokenInUse.class, acquire(THREE, A));
    }

    @Test
    void semaphoreHasAsManyHoldersAsSlots() {
        Set<Integer> slots = new HashSet<>();
        for (int i = 0; i < 3; i++) {
            slots.add(lease(acquire(THREE, token(i))).slot().orElseThrow());
        }
        assertEquals(Set.of(0, 1, 2), slots);
        assertInstanceOf(Held.class, acquire(THREE, A));
        assertEquals(3, inspect().holderCount());
        fleet.release(token(1));
        fleet.release(token(1));
        fleet.release(B);
        assertInstanceOf(Acquired.class, acquire(THREE, A));
        assertInstanceOf(Held.class, acquire(THREE, B));
    }

    /** Two masters, which answer first, name the other slot. */
    @Test
    void majorityGrantsSlotThatOthersCallTaken() {
        LockKind two = LockKind.ofSlots(2);
        acquire(two, A);
        List.of(3, 4, 5).forEach(master -> fleet.master(master).forget());
        for (int i = 0; i < 10; i++) {
            assertInstanceOf(Acquired.class, acquire(two, token(i)));
            assertInstanceOf(Release.Released.class, fleet.release(token(i)));
        }
    }

    /** L2: an attempt for a slot that is taken does not wait for a master that hangs. */
    @Test
    void nextSlotIsTriedWithoutMastersThatHang() {
        acquire(THREE, A);
        acquire(THREE, B);
        fleet.setFault(Fault.SILENT, 4, 5);
        for (int i = 0; i < 10; i++) {
            MonotonicTime sent = fleet.time.now();
            assertInstanceOf(Acquired.class, acquire(THREE, token(i)));
            assertTrue(fleet.time.now().since(sent).compareTo(FakeFleet.NODE_TIMEOUT) < 0);
            fleet.release(token(i));
        }
    }

    @Test
    void semaphoreHasOneNumberOfSlots() {
        acquire(THREE, A);
        Acquisition.OtherSlots other = assertInstanceOf(Acquisition.OtherSlots.class, acquire(LockKind.ofSlots(4), B));
        assertEquals(3, other.slots());
        fleet.release(A);
        assertInstanceOf(Acquired.class, acquire(LockKind.ofSlots(4), B));
    }

    @Test
    void forcedReleaseEndsAllHoldersOrThoseOfOneOwner() {
        acquire(SHARED, A);
        fleet.await(fleet.engine.acquire(
                ResourceNames.of(RESOURCE),
                new AcquireTerms(
                        TTL, Duration.ZERO, Duration.ZERO, Optional.of(B), Optional.of(new Owner("bob")), SHARED)));
        assertInstanceOf(
                ForcedRelease.Broken.class, force(new ForceTerms(Optional.of(new Owner("bob")), Optional.empty())));
        assertEquals(1, inspect().holderCount());
        acquire(SHARED, B);
        assertInstanceOf(ForcedRelease.Broken.class, force(ForceTerms.ALL));
        assertTrue(fleet.masters.stream().allMatch(master -> master.holdsNothing()));
    }

    /** A thousand shared holders and one more. */
    @Test
    void numberOfSharedHoldersIsBounded() {
        for (int i = 0; i < 1_000; i++) {
            assertInstanceOf(Acquired.class, acquire(SHARED, token(i)));
        }
        assertInstanceOf(Held.class, acquire(SHARED, A));
        fleet.release(token(7));
        assertInstanceOf(Acquired.class, acquire(SHARED, A));
    }

    @Test
    void nothingIsLeft() {
        for (LockKind kind : List.of(SHARED, THREE)) {
            for (int i = 0; i < 3; i++) {
                acquire(kind, token(i));
            }
            for (int i = 0; i < 3; i++) {
                fleet.release(token(i));
            }
            assertTrue(fleet.masters.stream().allMatch(master -> master.holdsNothing()));
        }
    }

    @Test
    void lastReleaseFreesLockWhenTimeOfAKeptHolderIsOver() {
        Duration keep = Duration.ofMillis(100);
        acquire(SHARED, A);
        acquire(SHARED, B);
        keep(A, keep);
        fleet.time.pass(keep);
        fleet.release(B);
        assertTrue(fleet.masters.stream().allMatch(master -> master.holdsNothing()));
    }

    private void keep(LeaseToken token, Duration keep) {
        fleet.await(fleet.engine.release(ResourceNames.of(RESOURCE), token, keep));
    }

    private ForcedRelease force(ForceTerms terms) {
        return fleet.await(fleet.directory.forceRelease(RESOURCE, terms));
    }

    private Inspection.Held inspect() {
        return assertInstanceOf(Inspection.Held.class, fleet.await(fleet.engine.inspect(RESOURCE)));
    }

    private Acquisition acquire(LockKind kind, LeaseToken token) {
        return fleet.await(fleet.engine.acquire(ResourceNames.of(RESOURCE), terms(kind, token)));
    }

    /** Lets these masters grant a slot. */
    private void vote(LockKind kind, int slot, LeaseToken token, int... masters) {
        AcquireCommand command = new AcquireCommand(
                ResourceNames.of(RESOURCE), token, "a0", new FencingToken(1), terms(kind, token), OptionalInt.of(slot));
        for (int number : masters) {
            fleet.master(number).acquire(command, reply -> {});
        }
        fleet.time.pass(FakeFleet.NODE_TIMEOUT);
    }

    private static AcquireTerms terms(LockKind kind, LeaseToken token) {
        return new AcquireTerms(TTL, Duration.ZERO, Duration.ZERO, Optional.of(token), Optional.empty(), kind);
    }

    private static LeaseToken token(int number) {
        return new LeaseToken("token-of-holder-" + (100 + number));
    }

    private static Lease lease(Acquisition outcome) {
        return outcome.granted().orElseThrow(() -> new AssertionError(outcome));
    }
}
