// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.waiting;

import static io.quorumlock.testing.FakeFleet.A;
import static io.quorumlock.testing.FakeFleet.B;
import static io.quorumlock.testing.FakeFleet.RESOURCE;
import static io.quorumlock.testing.FakeFleet.TTL;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.lock.AcquireTerms;
import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.testing.FakeFleet;
import io.quorumlock.testing.FakeNode.Fault;
import io.quorumlock.testing.FakeSignal;
import io.quorumlock.waiting.WaitQueues.WaitingLimits;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Releases while clients wait. Each release takes effect and wakes the next waiter. */
class WaitersAndReleasesTest {
    private static final LeaseToken C = new LeaseToken("token-of-client-C");
    private static final LeaseToken D = new LeaseToken("token-of-client-D");
    private static final LeaseToken E = new LeaseToken("token-of-client-E");
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Duration SOON = Duration.ofMillis(20);

    private final FakeFleet fleet = new FakeFleet(5);
    private final FakeSignal signal = fleet.signal();
    private final WaitQueues queues = fleet.waitQueues(7, signal, new WaitingLimits(100, 100));
    private final WaitQueues elsewhere = fleet.waitQueues(8, fleet.signal(), new WaitingLimits(100, 100));

    @BeforeEach
    void setReplyDelay() {
        fleet.nodes.forEach(node -> node.answerAfter(Duration.ofMillis(1)));
    }

    /** R11: the client may disconnect at any time after its request arrived. */
    @Test
    void completesReleaseOfDisconnectedClient() {
        signal.cut();
        for (int micros = 0; micros < 2_000; micros += 100) {
            fleet.await(waitFor(A));
            CompletableFuture<Acquisition> waiting = waitFor(B);
            fleet.time.pass(SOON);
            CompletableFuture<?> release = queues.release(RESOURCE, A);
            if (micros > 0) {
                fleet.time.pass(Duration.ofNanos(micros * 1_000L));
            }
            release.cancel(false);
            fleet.time.pass(SOON);
            assertInstanceOf(Acquisition.Acquired.class, waiting.getNow(null), "cancelled after " + micros + " us");
            fleet.await(queues.release(RESOURCE, B));
            assertEquals(0, fleet.holding());
        }
    }

    /** The release is retried in the background, and the releasing replica checks for its effect. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void wakesNextWaiterAfterUnconfirmedRelease(boolean announcementsLost) {
        fleet.acquire(A);
        waitFor(B);
        CompletableFuture<Acquisition> next = waitFor(C);
        fleet.time.pass(SOON);
        fleet.release(A);
        fleet.time.pass(SOON);
        if (announcementsLost) {
            signal.cut();
        }
        fleet.setFault(Fault.SILENT, 1, 2, 3);
        queues.release(RESOURCE, B);
        fleet.time.pass(Duration.ofMillis(60));
        fleet.heal();
        fleet.time.pass(Duration.ofMillis(200));
        assertInstanceOf(Acquisition.Acquired.class, next.getNow(null));
    }

    /** The announcement can arrive at any time, and the replica of the hand-over has crashed. */
    @Test
    void retriesAfterHandOverElsewhereDuringAttempt() {
        fleet.nodes.forEach(node -> node.answerAfter(Duration.ofMillis(4)));
        for (int micros = 3_000; micros < 9_000; micros += 250) {
            WaitQueues replica = fleet.waitQueues(micros, fleet.signal(), new WaitingLimits(100, 100));
            fleet.acquire(A);
            CompletableFuture<Acquisition> waiting = replica.acquire(RESOURCE, terms(B, PATIENCE));
            fleet.time.pass(Duration.ofNanos(micros * 1_000L));
            fleet.engine.passOn(RESOURCE, A);
            fleet.time.pass(Duration.ofMillis(150));
            assertInstanceOf(Acquisition.Acquired.class, waiting.getNow(null), "handed over after " + micros + " us");
            fleet.release(B);
        }
    }

    /**
     * R12: this replica releases the lock during its own attempt, and a client that waits elsewhere disconnects. One
     * node is slower than the others. No announcement is lost.
     */
    @Test
    void attemptsAgainSoonAfterReleaseDuringAttempt() {
        fleet.node(5).answerAfter(Duration.ofMillis(8));
        fleet.acquire(C);
        CompletableFuture<Acquisition> a = waitAt(queues, A, PATIENCE);
        CompletableFuture<Acquisition> b = waitAt(queues, B, PATIENCE);
        fleet.time.pass(SOON);
        fleet.release(C);
        fleet.time.pass(SOON);
        assertInstanceOf(Acquisition.Acquired.class, a.getNow(null));
        CompletableFuture<Acquisition> d = waitAt(queues, D, PATIENCE);
        queues.release(RESOURCE, A);
        fleet.time.pass(SOON);
        assertInstanceOf(Acquisition.Acquired.class, b.getNow(null));
        fleet.time.pass(Duration.ofMillis(100));
        CompletableFuture<Acquisition> e = waitAt(elsewhere, E, PATIENCE);
        fleet.time.pass(SOON);
        int before = fleet.node(1).commands();
        int waited = 0;
        while (fleet.node(1).commands() == before && waited++ < 10_000) {
            fleet.time.pass(Duration.ofNanos(100_000));
        }
        // Either replica can have made this attempt. Only an attempt of this replica counts.
        fleet.time.pass(Duration.ofNanos(200_000));
        queues.release(RESOURCE, B);
        fleet.time.pass(Duration.ofNanos(600_000));
        e.cancel(false);
        fleet.time.pass(Duration.ofMillis(120));
        assertTrue(d.isDone());
    }

    private static CompletableFuture<Acquisition> waitAt(WaitQueues queues, LeaseToken token, Duration patience) {
        return queues.acquire(
                RESOURCE, new AcquireTerms(TTL, Duration.ZERO, patience, Optional.of(token), Optional.empty()));
    }

    private CompletableFuture<Acquisition> waitFor(LeaseToken token) {
        return queues.acquire(RESOURCE, terms(token, PATIENCE));
    }

    private static AcquireTerms terms(LeaseToken token, Duration patience) {
        return new AcquireTerms(TTL, Duration.ZERO, patience, Optional.of(token), Optional.empty());
    }
}
