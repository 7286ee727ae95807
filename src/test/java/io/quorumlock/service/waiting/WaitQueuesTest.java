// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.service.waiting;

import static io.quorumlock.testing.FakeFleet.A;
import static io.quorumlock.testing.FakeFleet.B;
import static io.quorumlock.testing.FakeFleet.NODE_TIMEOUT;
import static io.quorumlock.testing.FakeFleet.RESOURCE;
import static io.quorumlock.testing.FakeFleet.TTL;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.lock.AcquireTerms;
import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.service.waiting.WaitQueues.WaitingLimits;
import io.quorumlock.testing.FakeFleet;
import io.quorumlock.testing.FakeMaster.Fault;
import io.quorumlock.testing.FakeSignal;
import io.quorumlock.testing.Proves;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Wait queues: waiters acquire a free lock at once and in order, and wait no longer than requested. */
@Proves({"R11", "R12"})
class WaitQueuesTest {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Duration SOON = Duration.ofMillis(20);

    private final FakeFleet fleet = new FakeFleet(5);
    private final FakeSignal signal = fleet.signal();
    private final WaitQueues queues = fleet.waitQueues(7, signal, new WaitingLimits(4, 3));

    @BeforeEach
    void setReplyDelay() {
        fleet.masters.forEach(master -> master.answerAfter(Duration.ofMillis(1)));
    }

    @Test
    void acquiresFreeLockWithoutWaiting() {
        assertInstanceOf(Acquisition.Acquired.class, fleet.await(waitFor(A)));
        assertEquals(0, queues.all());
    }

    @Test
    void releaseHereWakesFirstWaiterAtOnce() {
        fleet.await(waitFor(A));
        CompletableFuture<Acquisition> waiting = waitFor(B);
        fleet.time.pass(Duration.ofSeconds(1));
        assertFalse(waiting.isDone());
        queues.release(RESOURCE, A);
        fleet.time.pass(Duration.ofMillis(3));
        assertInstanceOf(Acquisition.Acquired.class, waiting.getNow(null));
    }

    @Test
    void releaseElsewhereWakesFirstWaiter() {
        fleet.acquire(A);
        CompletableFuture<Acquisition> waiting = waitFor(B);
        fleet.time.pass(Duration.ofSeconds(1));
        fleet.release(A);
        fleet.time.pass(SOON);
        assertInstanceOf(Acquisition.Acquired.class, waiting.getNow(null));
    }

    /** R12: without announcements, the remaining time in the refusals wakes the queue. */
    @Test
    void acquiresExpiredLockWithoutAnnouncements() {
        signal.cut();
        fleet.acquire(A);
        CompletableFuture<Acquisition> waiting = queues.acquire(RESOURCE, terms(B, TTL.plusSeconds(1)));
        fleet.time.pass(TTL.minusMillis(100));
        assertFalse(waiting.isDone());
        fleet.time.pass(Duration.ofMillis(100).plus(SOON));
        assertInstanceOf(Acquisition.Acquired.class, waiting.getNow(null));
    }

    @Test
    void waitsAgainForExtendedLease() {
        fleet.acquire(A);
        CompletableFuture<Acquisition> waiting = queues.acquire(RESOURCE, terms(B, TTL.multipliedBy(2)));
        fleet.time.pass(TTL.dividedBy(2));
        fleet.extend(A);
        fleet.time.pass(TTL.minusMillis(100));
        assertFalse(waiting.isDone());
        fleet.time.pass(Duration.ofMillis(100).plus(SOON));
        assertInstanceOf(Acquisition.Acquired.class, waiting.getNow(null));
    }

    @Test
    void servesWaitersInOrderOfArrival() {
        fleet.await(waitFor(A));
        List<Integer> served = new ArrayList<>();
        List<LeaseToken> tokens =
                IntStream.range(0, 3).mapToObj(i -> token("waiter-" + i)).toList();
        for (int i = 0; i < tokens.size(); i++) {
            int place = i;
            LeaseToken token = tokens.get(i);
            waitFor(token).thenAccept(outcome -> {
                served.add(place);
                queues.release(RESOURCE, token);
            });
        }
        queues.release(RESOURCE, A);
        fleet.time.pass(SOON);
        assertEquals(List.of(0, 1, 2), served);
    }

    @Test
    void reportsHolderAndWaitAfterTimeout() {
        fleet.acquire(A);
        CompletableFuture<Acquisition> waiting = waitFor(B);
        fleet.time.pass(PATIENCE);
        Acquisition.Held held = assertInstanceOf(Acquisition.Held.class, waiting.getNow(null));
        assertEquals(PATIENCE, held.waited());
        assertTrue(held.remaining().minus(TTL.minus(PATIENCE)).abs().toMillis() < 10, held::toString);
        assertNothingIsLeft();
    }

    /** The waiter's own attempt can take one timeout, and the preceding attempt of the queue another one. */
    @Test
    void waitsNoLongerThanAgreedAndTwoMasterTimeouts() {
        fleet.setFault(Fault.SILENT, 1, 2, 3);
        CompletableFuture<Acquisition> waiting = waitFor(B);
        fleet.time.pass(PATIENCE.plus(NODE_TIMEOUT.multipliedBy(2)));
        assertInstanceOf(Acquisition.NoQuorum.class, waiting.getNow(null));
    }

    @Test
    void acquiresWhenQuorumReturnsInTime() {
        fleet.setFault(Fault.DOWN, 1, 2, 3);
        CompletableFuture<Acquisition> waiting = waitFor(A);
        fleet.time.pass(Duration.ofSeconds(2));
        fleet.heal();
        fleet.time.pass(Duration.ofMillis(1_100));
        assertInstanceOf(Acquisition.Acquired.class, waiting.getNow(null));
    }

    /** R11 */
    @Test
    void disconnectedWaiterDoesNotBlockOthers() {
        fleet.await(waitFor(A));
        CompletableFuture<Acquisition> gone = waitFor(token("who-leaves"));
        CompletableFuture<Acquisition> next = waitFor(B);
        fleet.time.pass(SOON);
        gone.cancel(false);
        queues.release(RESOURCE, A);
        fleet.time.pass(SOON);
        assertInstanceOf(Acquisition.Acquired.class, next.getNow(null));
    }

    /** R11: at whatever time the caller disconnects, the lock is free after a round trip and a pause. */
    @Test
    void releasesGrantToDisconnectedWaiterAtOnce() {
        for (int micros = 0; micros < 3_000; micros += 100) {
            CompletableFuture<Acquisition> gone = waitFor(A);
            fleet.time.pass(Duration.ofNanos(micros * 1_000L));
            if (gone.cancel(false)) {
                fleet.time.pass(SOON);
                assertEquals(0, fleet.holding(), "disconnected after " + micros + " us");
            } else {
                fleet.release(A);
            }
            assertNothingIsLeft();
        }
    }

    /** R14 */
    @Test
    void rejectsWaitersOverTheLimit() {
        fleet.acquire(A);
        List<CompletableFuture<Acquisition>> waiting = IntStream.range(0, 3)
                .mapToObj(i -> waitFor(token("waiter-" + i)))
                .toList();
        assertInstanceOf(Acquisition.TooManyWaiters.class, fleet.await(waitFor(B)));
        assertEquals(3, queues.on(RESOURCE));
        waiting.get(1).cancel(false);
        waitFor(B);
        fleet.time.pass(SOON);
        assertEquals(3, queues.on(RESOURCE));
    }

    @Test
    void closeCompletesAllWaits() {
        fleet.acquire(A);
        CompletableFuture<Acquisition> waiting = waitFor(B);
        fleet.time.pass(SOON);
        queues.close();
        fleet.time.pass(Duration.ZERO);
        assertInstanceOf(Acquisition.ShuttingDown.class, waiting.getNow(null));
        assertInstanceOf(Acquisition.ShuttingDown.class, fleet.await(waitFor(B)));
        fleet.release(A);
        fleet.time.pass(SOON);
        assertNothingIsLeft();
    }

    private void assertNothingIsLeft() {
        fleet.time.pass(TTL);
        assertEquals(0, queues.all());
        assertEquals(0, signal.watches());
        assertEquals(0, fleet.holding());
        assertEquals(0, fleet.time.pending());
    }

    private CompletableFuture<Acquisition> waitFor(LeaseToken token) {
        return queues.acquire(RESOURCE, terms(token, PATIENCE));
    }

    private static AcquireTerms terms(LeaseToken token, Duration patience) {
        return new AcquireTerms(TTL, patience, Optional.of(token), Optional.empty(), LockKind.EXCLUSIVE);
    }

    private static LeaseToken token(String name) {
        return new LeaseToken("token-of-" + name);
    }
}
