// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.service.waiting;

import static io.quorumlock.testing.FakeFleet.A;
import static io.quorumlock.testing.FakeFleet.B;
import static io.quorumlock.testing.FakeFleet.RESOURCE;
import static io.quorumlock.testing.FakeFleet.TTL;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

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
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Releases while clients wait. Each release takes effect and wakes the next waiter. */
@Proves("R12")
class WaitersAndReleasesTest {
    private static final LeaseToken C = new LeaseToken("token-of-client-C");
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Duration SOON = Duration.ofMillis(20);

    private final FakeFleet fleet = new FakeFleet(5);
    private final FakeSignal signal = fleet.signal();
    private final WaitQueues queues = fleet.waitQueues(7, signal, new WaitingLimits(100, 100));

    @BeforeEach
    void setReplyDelay() {
        fleet.masters.forEach(master -> master.answerAfter(Duration.ofMillis(1)));
    }

    /** R11: the client may disconnect at any time after its request arrived. */
    @Test
    void completesReleaseOfDisconnectedClient() {
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

    /** The release is retried in the background. R12: without announcements the queue polls. */
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
        fleet.time.pass(Duration.ofMillis(announcementsLost ? 600 : 200));
        assertInstanceOf(Acquisition.Acquired.class, next.getNow(null));
    }

    /** R12: the announcement can arrive at any time of an attempt, which is too early for the release. */
    @Test
    void attemptsAgainAfterReleaseDuringAttempt() {
        fleet.masters.forEach(master -> master.answerAfter(Duration.ofMillis(4)));
        fleet.master(5).answerAfter(Duration.ofMillis(8));
        for (int micros = 0; micros < 20_000; micros += 250) {
            fleet.await(fleet.engine.acquire(RESOURCE, FakeFleet.terms(A)));
            CompletableFuture<Acquisition> waiting = waitFor(B);
            fleet.time.pass(Duration.ofNanos(micros * 1_000L));
            fleet.engine.release(RESOURCE, A);
            fleet.time.pass(Duration.ofMillis(60));
            assertInstanceOf(Acquisition.Acquired.class, waiting.getNow(null), "released after " + micros + " us");
            fleet.release(B);
            fleet.time.pass(SOON);
        }
    }

    private CompletableFuture<Acquisition> waitFor(LeaseToken token) {
        return queues.acquire(RESOURCE, terms(token, PATIENCE));
    }

    private static AcquireTerms terms(LeaseToken token, Duration patience) {
        return new AcquireTerms(TTL, patience, Optional.of(token), Optional.empty(), LockKind.EXCLUSIVE);
    }
}
