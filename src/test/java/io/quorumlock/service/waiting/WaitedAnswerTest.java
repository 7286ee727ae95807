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
import io.quorumlock.core.lock.Lease;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.lock.NoQuorumReason.Effect;
import io.quorumlock.service.waiting.WaitQueues.WaitingLimits;
import io.quorumlock.testing.FakeFleet;
import io.quorumlock.testing.FakeMaster.Fault;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Outcomes for waiting callers. They describe the whole request, not its single attempts. */
class WaitedAnswerTest {
    private static final Duration WAIT = Duration.ofSeconds(2);
    private static final Duration SOON = Duration.ofMillis(20);

    private final FakeFleet fleet = new FakeFleet(5);
    private final WaitQueues queues = fleet.waitQueues(7, fleet.signal(), new WaitingLimits(4, 3));

    @BeforeEach
    void setReplyDelay() {
        fleet.masters.forEach(master -> master.answerAfter(Duration.ofMillis(1)));
    }

    /**
     * The holder's deadline is {@code sent + waited + elapsed + validity}, so the waiting time must be a lower bound.
     */
    @Test
    void leaseContainsWaitingTime() {
        fleet.acquire(A);
        CompletableFuture<Acquisition> waiting = waitFor();
        fleet.time.pass(WAIT);
        fleet.release(A);
        fleet.time.pass(SOON);
        Lease lease = lease(waiting);
        assertTrue(lease.waited().compareTo(WAIT) <= 0, lease::toString);
        assertTrue(lease.waited().compareTo(WAIT.multipliedBy(98).dividedBy(100)) > 0, lease::toString);
    }

    @Test
    void immediateLeaseHasNoWaitingTime() {
        assertEquals(Duration.ZERO, lease(answered(waitFor())).waited());
    }

    /**
     * R5: the next attempt with the same token would adopt the values of this attempt, which would never be deleted.
     */
    @Test
    void failedAttemptEndsAfterItsCleanUp() {
        holdThree();
        CompletableFuture<Acquisition> attempt = fleet.replica(8).acquire(RESOURCE, terms());
        fleet.time.pass(Duration.ofMillis(1));
        assertFalse(attempt.isDone());
        fleet.await(attempt);
        assertInstanceOf(Acquisition.Held.class, attempt.getNow(null));
        assertEquals(3, fleet.holding());
    }

    @Test
    void leavesNoVotesWhileMajorityHoldsLock() {
        holdThree();
        CompletableFuture<Acquisition> waiting = waitFor();
        fleet.time.pass(WAIT);
        assertEquals(3, fleet.holding());
        fleet.release(A);
        fleet.time.pass(Duration.ofSeconds(1));
        lease(waiting);
    }

    /** A majority refused the lock for one holder, so this is no split vote and the queue sleeps. */
    @Test
    void doesNotPollWhileMajorityHoldsLock() {
        holdThree();
        waitFor();
        fleet.time.pass(WAIT);
        int before = fleet.master(1).commands();
        fleet.time.pass(WAIT);
        assertTrue(
                fleet.master(1).commands() - before <= 6, () -> fleet.master(1).commands() - before + " commands");
    }

    /** R11: an announcement during the attempt wakes the next waiter. */
    @Test
    void makesNoAttemptForExpiredWaiter() {
        for (int micros = 0; micros < 4_000; micros += 100) {
            LeaseToken holder = new LeaseToken("token-of-holder-" + micros);
            LeaseToken waiter = new LeaseToken("token-of-waiter-" + micros);
            fleet.acquire(holder);
            Duration patience = Duration.ofMillis(30).plusNanos(micros * 1_000L);
            CompletableFuture<Acquisition> waiting = queues.acquire(RESOURCE, terms(waiter, patience));
            fleet.time.pass(Duration.ofMillis(29));
            fleet.release(holder);
            fleet.time.pass(SOON);
            boolean granted = waiting.getNow(null) instanceof Acquisition.Acquired;
            assertEquals(granted ? 5 : 0, fleet.holding(), "after " + patience);
            fleet.release(waiter);
        }
    }

    /** R15 */
    @Test
    void reportsUnknownEffectOfEarlierAttempt() {
        fleet.setFault(Fault.MUTE, 1, 2, 3);
        CompletableFuture<Acquisition> waiting = waitFor();
        fleet.time.pass(NODE_TIMEOUT.multipliedBy(3));
        fleet.setFault(Fault.DOWN, 1, 2, 3);
        fleet.time.pass(TTL);
        Acquisition.NoQuorum answer = assertInstanceOf(Acquisition.NoQuorum.class, waiting.getNow(null));
        assertEquals(Effect.UNKNOWN, answer.why().effect());
    }

    /** R15 */
    @Test
    void reportsNoEffectWithoutAttempt() {
        fleet.setFault(Fault.DOWN, 1, 2, 3);
        waitFor();
        AcquireTerms shortly = new AcquireTerms(TTL, SOON, Optional.empty(), Optional.empty(), LockKind.EXCLUSIVE);
        CompletableFuture<Acquisition> second = queues.acquire(RESOURCE, shortly);
        fleet.time.pass(SOON);
        Acquisition.NoQuorum answer = assertInstanceOf(Acquisition.NoQuorum.class, second.getNow(null));
        assertEquals(Effect.NONE, answer.why().effect());
    }

    private void holdThree() {
        fleet.setFault(Fault.DOWN, 4, 5);
        fleet.acquire(A);
        fleet.heal();
    }

    private CompletableFuture<Acquisition> waitFor() {
        return queues.acquire(RESOURCE, terms());
    }

    private CompletableFuture<Acquisition> answered(CompletableFuture<Acquisition> waiting) {
        fleet.time.pass(SOON);
        return waiting;
    }

    private static AcquireTerms terms() {
        return terms(B, TTL);
    }

    private static AcquireTerms terms(LeaseToken token, Duration patience) {
        return new AcquireTerms(TTL, patience, Optional.of(token), Optional.empty(), LockKind.EXCLUSIVE);
    }

    private static Lease lease(CompletableFuture<Acquisition> waiting) {
        return assertInstanceOf(Acquisition.Acquired.class, waiting.getNow(null))
                .lease();
    }
}
