package io.quorumlock.waiting;

import static io.quorumlock.testing.FakeFleet.A;
import static io.quorumlock.testing.FakeFleet.B;
import static io.quorumlock.testing.FakeFleet.RESOURCE;
import static io.quorumlock.testing.FakeFleet.TTL;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.lock.AcquireTerms;
import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.testing.FakeFleet;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Review: releases and repeated acquires while an attempt is under way. */
class ReviewWaitingTest {
    private static final LeaseToken C = new LeaseToken("token-of-client-C");
    private static final LeaseToken D = new LeaseToken("token-of-client-D");
    private static final LeaseToken E = new LeaseToken("token-of-client-E");
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Duration SOON = Duration.ofMillis(20);

    private final FakeFleet fleet = new FakeFleet(5);
    private final WaitQueues here = fleet.waitQueues(7, fleet.signal(), new WaitingLimits(100, 100));
    private final WaitQueues elsewhere = fleet.waitQueues(8, fleet.signal(), new WaitingLimits(100, 100));

    @BeforeEach
    void letAnswersTakeAMillisecond() {
        fleet.nodes.forEach(node -> node.answerAfter(Duration.ofMillis(1)));
    }

    /**
     * The turn here is over, a look for the next waiter is under way (one node is slower than the others), the lock is
     * released here, somebody listens elsewhere (and leaves). No announcement is lost.
     */
    @Test
    void looksSoonAfterALockWasReleasedHereDuringAnAttempt() {
        fleet.node(5).answerAfter(Duration.ofMillis(8));
        fleet.acquire(C);
        CompletableFuture<Acquisition> a = acquire(here, A, PATIENCE);
        CompletableFuture<Acquisition> b = acquire(here, B, PATIENCE);
        fleet.time.pass(SOON);
        fleet.release(C);
        fleet.time.pass(SOON);
        assertInstanceOf(Acquisition.Acquired.class, a.getNow(null));
        CompletableFuture<Acquisition> d = acquire(here, D, PATIENCE);
        here.release(RESOURCE, A);
        fleet.time.pass(SOON);
        assertInstanceOf(Acquisition.Acquired.class, b.getNow(null));
        fleet.time.pass(Duration.ofMillis(100));
        CompletableFuture<Acquisition> e = acquire(elsewhere, E, PATIENCE);
        fleet.time.pass(SOON);
        int before = fleet.node(1).commands();
        int waited = 0;
        while (fleet.node(1).commands() == before && waited++ < 10_000) {
            fleet.time.pass(Duration.ofNanos(100_000));
        }
        // An attempt of either replica; the one here is wanted.
        fleet.time.pass(Duration.ofNanos(200_000));
        here.release(RESOURCE, B);
        fleet.time.pass(Duration.ofNanos(600_000));
        e.cancel(false);
        fleet.time.pass(Duration.ofMillis(100));
        boolean soon = d.isDone();
        fleet.time.pass(Duration.ofMillis(900));
        assertTrue(d.isDone());
        assertTrue(soon, "not within 100 ms");
    }

    /** WaitQueue.expire: "is not refused before it was looked at"; no node is bad, one is merely slower. */
    @Test
    void aHolderThatRepeatsItsAcquireIsNotRefusedWhileSomebodyElsesAttemptIsUnderWay() {
        fleet.node(5).answerAfter(Duration.ofMillis(20));
        CompletableFuture<Acquisition> held = acquire(elsewhere, A, PATIENCE);
        fleet.time.pass(Duration.ofMillis(30));
        assertInstanceOf(Acquisition.Acquired.class, held.getNow(null));
        acquire(here, B, PATIENCE);
        fleet.time.pass(Duration.ofMillis(1));
        CompletableFuture<Acquisition> repeated = acquire(here, A, Duration.ofMillis(10));
        fleet.time.pass(Duration.ofMillis(60));
        assertInstanceOf(Acquisition.Replayed.class, repeated.getNow(null));
    }

    private static CompletableFuture<Acquisition> acquire(WaitQueues room, LeaseToken token, Duration patience) {
        return room.acquire(
                RESOURCE, new AcquireTerms(TTL, Duration.ZERO, patience, Optional.of(token), Optional.empty()));
    }
}
