// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.service.waiting;

import static io.quorumlock.testing.FakeFleet.A;
import static io.quorumlock.testing.FakeFleet.B;
import static io.quorumlock.testing.FakeFleet.TTL;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.lock.AcquireTerms;
import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.service.waiting.WaitQueues.WaitingLimits;
import io.quorumlock.testing.FakeFleet;
import io.quorumlock.testing.Proves;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Waits for several locks at once. A waiter is in the queue of one lock that is held, and blocks no other lock. */
@Proves("A")
class SeveralNamesWaitTest {
    private static final ResourceName ONE = new ResourceName("a");
    private static final ResourceName TWO = new ResourceName("b");
    private static final LeaseToken C = new LeaseToken("token-of-client-C");
    private static final Duration PATIENCE = Duration.ofSeconds(8);
    private static final Duration SOON = Duration.ofMillis(50);

    private final FakeFleet fleet = new FakeFleet(5);
    private final WaitQueues queues = fleet.waitQueues(7, fleet.signal(), new WaitingLimits(100, 100));

    @BeforeEach
    void setReplyDelay() {
        fleet.masters.forEach(master -> master.answerAfter(Duration.ofMillis(1)));
    }

    @Test
    void acquiresAllWhenLastHeldOneIsReleased() {
        hold(A, ONE);
        hold(B, TWO);
        CompletableFuture<Acquisition> both = waitFor(C, ONE, TWO);
        fleet.time.pass(SOON);
        release(A, ONE);
        fleet.time.pass(SOON);
        assertFalse(both.isDone());
        assertEquals(1, queues.all());
        release(B, TWO);
        fleet.time.pass(SOON);
        assertAcquired(both);
        assertEquals(0, queues.all());
    }

    /** The waiter moves to the queue of the lock that is held. */
    @Test
    void waiterForBothDoesNotBlockWaiterForFreeOne() {
        hold(A, ONE);
        hold(B, TWO);
        CompletableFuture<Acquisition> both = waitFor(C, ONE, TWO);
        LeaseToken other = new LeaseToken("token-of-client-D");
        CompletableFuture<Acquisition> one = waitFor(other, ONE);
        fleet.time.pass(SOON);
        release(A, ONE);
        fleet.time.pass(SOON);
        assertAcquired(one);
        assertEquals(1, queues.on(TWO));
        release(B, TWO);
        release(other, ONE);
        fleet.time.pass(SOON);
        assertAcquired(both);
    }

    @Test
    void movedWaiterKeepsItsDeadline() {
        hold(A, TWO);
        CompletableFuture<Acquisition> both = waitFor(C, ONE, TWO);
        fleet.time.pass(PATIENCE.plus(SOON));
        Acquisition.Held held = assertInstanceOf(Acquisition.Held.class, both.getNow(null));
        assertTrue(held.concerns(TWO));
        assertEquals(0, queues.all());
    }

    @Test
    void movedWaiterLeavesOnCancel() {
        hold(A, TWO);
        CompletableFuture<Acquisition> both = waitFor(C, ONE, TWO);
        fleet.time.pass(SOON);
        both.cancel(false);
        fleet.time.pass(SOON);
        assertEquals(0, queues.all());
        release(A, TWO);
        fleet.time.pass(SOON);
        assertEquals(0, fleet.holding());
    }

    /** No deadlock: clients that want the same locks in another order take turns. */
    @Test
    void overlappingSetsProgress() {
        List<CompletableFuture<Acquisition>> waits =
                List.of(waitFor(A, ONE, TWO), waitFor(B, TWO, ONE), waitFor(C, ONE, TWO), waitFor(fourth(), TWO, ONE));
        for (int i = 0; i < waits.size(); i++) {
            fleet.time.pass(SOON);
            List<CompletableFuture<Acquisition>> granted = waits.stream()
                    .filter(wait -> wait.getNow(null) instanceof Acquisition.Acquired)
                    .toList();
            assertEquals(i + 1, granted.size());
            granted.forEach(wait -> wait.thenAccept(lease -> queues.release(
                    names(ONE, TWO), lease.granted().orElseThrow().token(), Duration.ZERO)));
        }
    }

    /** The answer to a client that asked for one lock says nothing about another one. */
    @Test
    void refusalNamesOnlyRequestedLocks() {
        hold(A, TWO);
        waitFor(C, ONE, TWO);
        fleet.time.pass(SOON);
        hold(B, ONE);
        CompletableFuture<Acquisition> plain = queues.acquire(
                TWO,
                new AcquireTerms(TTL, SOON.multipliedBy(2), Optional.empty(), Optional.empty(), LockKind.EXCLUSIVE));
        fleet.time.pass(SOON.multipliedBy(3));
        Acquisition.Held held = assertInstanceOf(Acquisition.Held.class, plain.getNow(null));
        assertEquals(
                List.of(TWO),
                held.taken().stream().map(Acquisition.Held.Taken::resource).toList());
    }

    /** A holder that repeats its acquire gets its lease at once, also if the first waiter waits for more. */
    @Test
    void repeatedAcquireDoesNotWaitForSets() {
        hold(A, TWO);
        waitFor(C, ONE, TWO);
        fleet.time.pass(SOON);
        hold(B, ONE);
        fleet.time.pass(Duration.ofMillis(600));
        CompletableFuture<Acquisition> again = waitFor(A, TWO);
        fleet.time.pass(SOON);
        assertInstanceOf(Acquisition.Replayed.class, again.getNow(null));
    }

    /** L1: the queue sleeps until the end of its own lock, not of another one that its first waiter needs. */
    @Test
    void waiterBehindSetGetsLockOfVanishedHolder() {
        hold(B, TWO);
        fleet.time.pass(TTL.dividedBy(2));
        hold(C, ONE);
        fleet.time.pass(TTL.dividedBy(4));
        waitFor(A, TWO, ONE);
        CompletableFuture<Acquisition> plain = waitFor(fourth(), TWO);
        fleet.time.pass(TTL.dividedBy(4).plus(SOON));
        assertInstanceOf(Acquisition.Acquired.class, plain.getNow(null));
    }

    private static LeaseToken fourth() {
        return new LeaseToken("token-of-client-D");
    }

    private void hold(LeaseToken token, ResourceName name) {
        assertAcquired(queues.acquire(
                name, new AcquireTerms(TTL, Duration.ZERO, Optional.of(token), Optional.empty(), LockKind.EXCLUSIVE)));
    }

    private void release(LeaseToken token, ResourceName name) {
        queues.release(name, token);
    }

    private CompletableFuture<Acquisition> waitFor(LeaseToken token, ResourceName... names) {
        return queues.acquire(
                names(names),
                new AcquireTerms(TTL, PATIENCE, Optional.of(token), Optional.empty(), LockKind.EXCLUSIVE));
    }

    private static ResourceNames names(ResourceName... names) {
        return new ResourceNames(List.of(names));
    }

    private void assertAcquired(CompletableFuture<Acquisition> outcome) {
        if (!outcome.isDone()) {
            fleet.time.pass(SOON);
        }
        assertInstanceOf(Acquisition.Acquired.class, outcome.getNow(null));
    }
}
