// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redlock;

import static io.quorumlock.testing.FakeFleet.A;
import static io.quorumlock.testing.FakeFleet.B;
import static io.quorumlock.testing.FakeFleet.RESOURCE;
import static io.quorumlock.testing.FakeFleet.TTL;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.lock.AcquireTerms;
import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.Acquisition.Acquired;
import io.quorumlock.lock.Acquisition.Held;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.LockKind;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.lock.ResourceNames;
import io.quorumlock.testing.FakeFleet;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The mark of a writer that waits for readers. */
class WaitingWriterTest {
    private static final LockKind SHARED = LockKind.SHARED;
    private static final LockKind THREE = LockKind.ofSlots(3);

    private final FakeFleet fleet = new FakeFleet(5);

    /** A request for several locks, of which another one is held, neither takes the lock nor lets readers in. */
    @Test
    void requestForSeveralLocksKeepsMarkOfWaitingWriter() {
        ResourceName held = new ResourceName("orders/43");
        fleet.await(fleet.engine.acquire(ResourceNames.of(held), terms(LockKind.EXCLUSIVE, B)));
        acquire(SHARED, A);
        assertInstanceOf(Held.class, attemptOfWaiting(fleet.engine, 1));
        fleet.release(A);
        assertInstanceOf(
                Held.class,
                fleet.await(fleet.engine.acquire(
                        new ResourceNames(List.of(RESOURCE, held)), terms(LockKind.EXCLUSIVE, token(2)))));
        assertInstanceOf(Held.class, acquire(SHARED, token(3)));
    }

    @Test
    void waitingRequestForSeveralLocksKeepsNoReaderOut() {
        ResourceName held = new ResourceName("orders/43");
        fleet.await(fleet.engine.acquire(ResourceNames.of(held), terms(LockKind.EXCLUSIVE, B)));
        acquire(SHARED, A);
        ResourceNames both = new ResourceNames(List.of(RESOURCE, held));
        assertInstanceOf(Held.class, fleet.await(fleet.engine.acquire(both, waiting(1))));
        assertInstanceOf(Acquired.class, acquire(SHARED, token(3)));
    }

    /** The next attempt of the writer that waits may have another token. */
    @Test
    void onlyWriterThatWaitsGetsLockAfterReaders() {
        acquire(SHARED, A);
        assertInstanceOf(Held.class, attemptOfWaiting(fleet.engine, 1));
        assertInstanceOf(Held.class, attemptOfWaiting(fleet.replica(2), 2));
        fleet.release(A);
        assertInstanceOf(Held.class, acquire(LockKind.EXCLUSIVE, token(3)));
        assertInstanceOf(Held.class, acquire(SHARED, token(3)));
        assertInstanceOf(Held.class, acquire(THREE, token(3)));
        assertInstanceOf(Held.class, attemptOfWaiting(fleet.replica(2), 2));
        assertInstanceOf(Acquired.class, attemptOfWaiting(fleet.engine, 4));
    }

    @Test
    void placeOfWriterThatLeftEndsByItself() {
        acquire(SHARED, A);
        attemptOfWaiting(fleet.engine, 1);
        fleet.release(A);
        fleet.time.pass(AcquireCommand.LONGEST_RESERVATION.minusMillis(1));
        assertInstanceOf(Held.class, acquire(THREE, B));
        fleet.time.pass(Duration.ofMillis(1));
        assertTrue(fleet.masters.stream().allMatch(master -> master.holdsNothing()));
        assertInstanceOf(Acquired.class, acquire(THREE, B));
    }

    @Test
    void nextWriterGetsPlaceOfWriterThatLeft() {
        Redlock other = fleet.replica(2);
        acquire(SHARED, A);
        attemptOfWaiting(fleet.engine, 1);
        fleet.time.pass(AcquireCommand.LONGEST_RESERVATION);
        attemptOfWaiting(other, 2);
        assertInstanceOf(Held.class, acquire(SHARED, token(3)));
        fleet.release(A);
        assertInstanceOf(Held.class, attemptOfWaiting(fleet.engine, 1));
        assertInstanceOf(Acquired.class, attemptOfWaiting(other, 2));
    }

    /** Makes an attempt for a writer that waits. */
    private Acquisition attemptOfWaiting(Redlock replica, int writer) {
        return fleet.await(replica.acquire(ResourceNames.of(RESOURCE), waiting(writer)));
    }

    private static AcquireTerms waiting(int writer) {
        return new AcquireTerms(
                TTL,
                Duration.ZERO,
                Duration.ofSeconds(20),
                Optional.of(token(writer)),
                Optional.empty(),
                LockKind.EXCLUSIVE);
    }

    private Acquisition acquire(LockKind kind, LeaseToken token) {
        return fleet.await(fleet.engine.acquire(ResourceNames.of(RESOURCE), terms(kind, token)));
    }

    private static AcquireTerms terms(LockKind kind, LeaseToken token) {
        return new AcquireTerms(TTL, Duration.ZERO, Duration.ZERO, Optional.of(token), Optional.empty(), kind);
    }

    private static LeaseToken token(int number) {
        return new LeaseToken("token-of-holder-" + (100 + number));
    }
}
