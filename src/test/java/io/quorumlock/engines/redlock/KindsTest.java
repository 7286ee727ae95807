// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redlock;

import static io.quorumlock.testing.EngineFixture.lease;
import static io.quorumlock.testing.EngineFixture.terms;
import static io.quorumlock.testing.EngineFixture.token;
import static io.quorumlock.testing.EngineFixture.waitingWriter;
import static io.quorumlock.testing.FakeFleet.A;
import static io.quorumlock.testing.FakeFleet.B;
import static io.quorumlock.testing.FakeFleet.RESOURCE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.lock.AcquireTerms;
import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.Acquisition.Acquired;
import io.quorumlock.core.lock.Acquisition.Held;
import io.quorumlock.core.lock.Extension;
import io.quorumlock.core.lock.FencingToken;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.lock.Release;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.core.loop.MonotonicTime;
import io.quorumlock.testing.FakeFleet;
import io.quorumlock.testing.FakeMaster.Fault;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Shared locks and semaphores. */
class KindsTest {
    private static final LockKind SHARED = LockKind.SHARED;
    private static final LockKind THREE = LockKind.ofSlots(3);

    private final FakeFleet fleet = new FakeFleet(5);

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
    void nothingIsLeftOfWriterThatDoesNotAskAgain() {
        acquire(SHARED, A);
        fleet.await(fleet.engine.acquire(ResourceNames.of(RESOURCE), waitingWriter(token(1))));
        fleet.release(A);
        fleet.time.pass(AcquireTerms.USUAL_RESERVATION.minusMillis(1));
        assertInstanceOf(Held.class, acquire(THREE, B));
        fleet.time.pass(Duration.ofMillis(1));
        assertTrue(fleet.masters.stream().allMatch(master -> master.holdsNothing()));
        assertInstanceOf(Acquired.class, acquire(THREE, B));
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
}
