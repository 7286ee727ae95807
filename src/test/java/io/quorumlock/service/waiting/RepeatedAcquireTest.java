// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.service.waiting;

import static io.quorumlock.testing.FakeFleet.A;
import static io.quorumlock.testing.FakeFleet.B;
import static io.quorumlock.testing.FakeFleet.RESOURCE;
import static io.quorumlock.testing.FakeFleet.TTL;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.quorumlock.core.lock.AcquireTerms;
import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.Lease;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.lock.ReleaseSignal;
import io.quorumlock.service.waiting.WaitQueues.WaitingLimits;
import io.quorumlock.testing.FakeFleet;
import io.quorumlock.testing.FakeMaster.Fault;
import io.quorumlock.testing.FakeSignal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Repeated acquires by the holder. They return its lease, even if other clients wait for the lock. */
class RepeatedAcquireTest {
    private static final LeaseToken C = new LeaseToken("token-of-client-C");
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Duration SOON = Duration.ofMillis(20);

    private final FakeFleet fleet = new FakeFleet(5);
    private final FakeSignal signalHere = fleet.signal();
    private final WaitQueues here = fleet.waitQueues(7, signalHere, new WaitingLimits(100, 100));
    private final WaitQueues elsewhere = fleet.waitQueues(8, fleet.signal(), new WaitingLimits(100, 100));

    @BeforeEach
    void setReplyDelay() {
        fleet.masters.forEach(master -> master.answerAfter(Duration.ofMillis(1)));
    }

    @Test
    void returnsLeaseGrantedElsewhere() {
        Lease lease = lease(soon(acquire(elsewhere, A)));
        CompletableFuture<Acquisition> waiting = soon(acquire(here, B));
        assertReplayed(lease, soon(acquire(here, A)));
        assertFalse(waiting.isDone());
    }

    @Test
    void returnsLeaseGrantedHere() {
        fleet.acquire(C);
        CompletableFuture<Acquisition> first = acquire(here, A);
        soon(acquire(here, B));
        fleet.release(C);
        Lease lease = lease(soon(first));
        assertReplayed(lease, soon(acquire(here, A)));
    }

    /** The lock has changed hands since the last attempt of this replica. */
    @Test
    void returnsLeaseHandedOverElsewhere() {
        fleet.acquire(C);
        soon(acquire(here, B));
        fleet.engine.release(RESOURCE, C);
        Lease lease = lease(soon(acquire(elsewhere, A)));
        assertReplayed(lease, soon(acquire(here, A)));
    }

    @Test
    void returnsLeaseWithOneMasterDown() {
        fleet.setFault(Fault.DOWN, 4, 5);
        lease(soon(acquire(elsewhere, A)));
        fleet.heal();
        soon(acquire(here, B));
        fleet.setFault(Fault.DOWN, 3);
        CompletableFuture<Acquisition> repeated = acquire(here, A);
        fleet.time.pass(Duration.ofSeconds(1));
        assertInstanceOf(Acquisition.Replayed.class, repeated.getNow(null));
    }

    @Test
    void completesBothWaitersWithSameToken() {
        fleet.acquire(C);
        CompletableFuture<Acquisition> first = acquire(here, A);
        soon(acquire(here, B));
        CompletableFuture<Acquisition> repeated = acquire(here, A);
        fleet.time.pass(SOON);
        fleet.release(C);
        assertReplayed(lease(soon(first)), soon(repeated));
    }

    /** Waiters acquire a free lock in order of arrival. */
    @Test
    void keepsOrderOfTokensWithoutLease() {
        fleet.acquire(C);
        CompletableFuture<Acquisition> first = soon(acquire(here, B));
        fleet.release(C);
        CompletableFuture<Acquisition> second = acquire(here, A);
        fleet.time.pass(SOON);
        lease(first);
        assertFalse(second.isDone());
    }

    /** This replica knows the holder's token, so it queries no master. */
    @Test
    void needsNoCommandsWhileHolderIsKnown() {
        fleet.acquire(C);
        soon(acquire(here, B));
        int before = fleet.master(1).commands();
        for (int i = 0; i < 50; i++) {
            acquire(here, new LeaseToken("token-of-waiter-" + i));
        }
        fleet.time.pass(SOON);
        assertEquals(before, fleet.master(1).commands());
    }

    /** The queue begins an attempt for the cancelled request, just before it learns of the end and of the repetition. */
    @Test
    void answersRepetitionOfCancelledRequest() {
        List<ReleaseSignal.Listener> announced = new ArrayList<>();
        ReleaseSignal byHand = (resource, listener) -> {
            announced.add(listener);
            return () -> {};
        };
        WaitQueues queues = fleet.waitQueues(9, byHand, new WaitingLimits(100, 100));
        fleet.acquire(C);
        CompletableFuture<Acquisition> cancelled = soon(acquire(queues, A));
        soon(acquire(queues, B));
        cancelled.cancel(true);
        CompletableFuture<Acquisition> repeated = acquire(queues, A);
        IntStream.range(0, 3).forEach(announced.get(0)::released);
        fleet.time.pass(SOON);
        fleet.release(C);
        fleet.time.pass(Duration.ofSeconds(1));
        lease(repeated);
    }

    /** The outcome of a request with the holder's token and another TTL is no news about the lock. */
    @Test
    void keepsWrongRepetitionToItself() {
        fleet.acquire(C);
        CompletableFuture<Acquisition> waiting = soon(acquire(here, B, Duration.ofMillis(200)));
        CompletableFuture<Acquisition> wrong = here.acquire(
                RESOURCE,
                new AcquireTerms(TTL.plusMillis(1), PATIENCE, Optional.of(C), Optional.empty(), LockKind.EXCLUSIVE));
        assertInstanceOf(Acquisition.TokenInUse.class, soon(wrong).getNow(null));
        fleet.time.pass(Duration.ofMillis(200));
        assertInstanceOf(Acquisition.Held.class, waiting.getNow(null));
    }

    /** All three get the lease, also the one in the middle. */
    @Test
    void completesAllWaitersWithSameToken() {
        fleet.acquire(C);
        soon(acquire(here, B, Duration.ofMillis(50)));
        CompletableFuture<Acquisition> first = acquire(here, A);
        CompletableFuture<Acquisition> second = acquire(here, A);
        CompletableFuture<Acquisition> third = soon(acquire(here, A));
        fleet.time.pass(Duration.ofMillis(50));
        fleet.release(C);
        Lease lease = lease(soon(first));
        assertReplayed(lease, soon(second));
        assertReplayed(lease, soon(third));
    }

    /** The lease of the waiting token was granted by another replica, which got the same request. */
    @Test
    void answersWaiterWhoseTokenGotItsLeaseElsewhere() {
        fleet.acquire(C);
        CompletableFuture<Acquisition> first = soon(acquire(here, B));
        CompletableFuture<Acquisition> waiting = soon(acquire(here, A));
        signalHere.cut();
        fleet.release(C);
        lease(soon(acquire(elsewhere, A)));
        fleet.time.pass(Duration.ofMillis(600));
        assertInstanceOf(Acquisition.Replayed.class, waiting.getNow(null));
        assertFalse(first.isDone());
    }

    /** The attempt of this replica waits for a slow master, and the wait of the holder is shorter. */
    @Test
    void returnsLeaseDuringAttemptOfAnotherWaiter() {
        fleet.master(5).answerAfter(Duration.ofMillis(20));
        CompletableFuture<Acquisition> held = acquire(elsewhere, A, PATIENCE);
        fleet.time.pass(Duration.ofMillis(30));
        Lease lease = lease(held);
        acquire(here, B, PATIENCE);
        fleet.time.pass(Duration.ofMillis(1));
        CompletableFuture<Acquisition> repeated = acquire(here, A, Duration.ofMillis(10));
        fleet.time.pass(Duration.ofMillis(60));
        assertReplayed(lease, repeated);
    }

    /** The release is not announced to this replica, so it does not know of the new lease. */
    @Test
    void returnsLeaseAlthoughReplicaRemembersOlderHolder() {
        fleet.acquire(C);
        soon(acquire(here, B));
        signalHere.cut();
        fleet.release(C);
        Lease lease = lease(soon(acquire(elsewhere, A)));
        assertReplayed(lease, soon(acquire(here, A, Duration.ofMillis(5))));
    }

    /** A master has the value of another program, and two do not answer: the others are no proof that the lock is held. */
    @Test
    void refusesNoHolderWhoseMastersDoNotAnswer() {
        lease(soon(acquire(elsewhere, A)));
        occupy(4);
        fleet.setFault(Fault.DOWN, 1, 2);
        CompletableFuture<Acquisition> repeated = acquire(here, A, Duration.ofMillis(100));
        fleet.time.pass(Duration.ofMillis(300));
        assertInstanceOf(Acquisition.NoQuorum.class, repeated.getNow(null));
    }

    /** Another waiter learns that the lock is held, after the attempt of the holder found too few masters. */
    @Test
    void asksAgainWhenTheWaitOfTheHolderEnds() {
        Lease lease = lease(soon(acquire(elsewhere, A)));
        occupy(4);
        fleet.setFault(Fault.DOWN, 1, 2);
        CompletableFuture<Acquisition> repeated = soon(acquire(here, A, Duration.ofMillis(40)));
        CompletableFuture<Acquisition> other = acquire(here, B, Duration.ofMillis(10));
        fleet.time.pass(Duration.ofMillis(15));
        assertInstanceOf(Acquisition.Held.class, other.getNow(null));
        fleet.heal();
        assertEquals(lease.fence(), lease(soon(repeated)).fence());
    }

    private void occupy(int master) {
        fleet.master(master).forget();
        fleet.master(master).acquirePlainly(RESOURCE, "another program", TTL, reply -> {});
        fleet.time.pass(SOON);
    }

    private CompletableFuture<Acquisition> acquire(WaitQueues queues, LeaseToken token) {
        return acquire(queues, token, PATIENCE);
    }

    private static CompletableFuture<Acquisition> acquire(WaitQueues queues, LeaseToken token, Duration patience) {
        return queues.acquire(
                RESOURCE, new AcquireTerms(TTL, patience, Optional.of(token), Optional.empty(), LockKind.EXCLUSIVE));
    }

    private CompletableFuture<Acquisition> soon(CompletableFuture<Acquisition> acquisition) {
        fleet.time.pass(SOON);
        return acquisition;
    }

    private static Lease lease(CompletableFuture<Acquisition> acquisition) {
        return assertInstanceOf(Acquisition.Acquired.class, acquisition.getNow(null))
                .lease();
    }

    private static void assertReplayed(Lease lease, CompletableFuture<Acquisition> repeated) {
        Acquisition.Replayed replayed = assertInstanceOf(Acquisition.Replayed.class, repeated.getNow(null));
        assertEquals(lease.fence(), replayed.lease().fence());
    }
}
