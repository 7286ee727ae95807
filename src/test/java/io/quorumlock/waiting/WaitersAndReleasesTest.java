package io.quorumlock.waiting;

import static io.quorumlock.testing.FakeFleet.A;
import static io.quorumlock.testing.FakeFleet.B;
import static io.quorumlock.testing.FakeFleet.RESOURCE;
import static io.quorumlock.testing.FakeFleet.TTL;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.quorumlock.lock.AcquireTerms;
import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.testing.FakeFleet;
import io.quorumlock.testing.FakeSignal;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Releases while clients wait for the lock: each takes effect and wakes the next waiter. */
class WaitersAndReleasesTest {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Duration SOON = Duration.ofMillis(20);

    private final FakeFleet fleet = new FakeFleet(5);
    private final FakeSignal signal = fleet.signal();
    private final WaitingRoom room = fleet.waitingRoom(7, signal, new WaitingLimits(100, 100));

    @BeforeEach
    void letAnswersTakeAMillisecond() {
        fleet.nodes.forEach(node -> node.answerAfter(Duration.ofMillis(1)));
    }

    /** R11: the client may hang up at any moment after its request arrived. */
    @Test
    void releasesAlthoughTheClientHangsUp() {
        signal.cut();
        for (int micros = 0; micros < 2_000; micros += 100) {
            fleet.await(waitFor(A));
            CompletableFuture<Acquisition> waiting = waitFor(B);
            fleet.time.pass(SOON);
            CompletableFuture<?> release = room.release(RESOURCE, A);
            if (micros > 0) {
                fleet.time.pass(Duration.ofNanos(micros * 1_000L));
            }
            release.cancel(false);
            fleet.time.pass(SOON);
            assertInstanceOf(Acquisition.Acquired.class, waiting.getNow(null), "cancelled after " + micros + " us");
            fleet.await(room.release(RESOURCE, B));
            assertEquals(0, fleet.holding());
        }
    }

    private CompletableFuture<Acquisition> waitFor(LeaseToken token) {
        return room.acquire(RESOURCE, terms(token, PATIENCE));
    }

    private static AcquireTerms terms(LeaseToken token, Duration patience) {
        return new AcquireTerms(TTL, Duration.ZERO, patience, Optional.of(token), Optional.empty());
    }
}
