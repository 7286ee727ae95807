// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.service.waiting;

import static io.quorumlock.testing.FakeFleet.RESOURCE;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.lock.AcquireTerms;
import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.Lease;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.loop.MonotonicTime;
import io.quorumlock.service.waiting.WaitQueues.WaitingLimits;
import io.quorumlock.testing.FakeFleet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A writer that lets another replica go first, while one reader comes and goes. */
class PostponedTurnTest {
    private static final Duration TTL = Duration.ofSeconds(10);
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final FakeFleet fleet = new FakeFleet(5);
    private final List<WaitQueues> replicas = new ArrayList<>();
    private int reads;

    PostponedTurnTest() {
        fleet.masters.forEach(master -> master.answerAfter(Duration.ofNanos(500_000)));
        for (int i = 0; i < 3; i++) {
            replicas.add(fleet.waitQueues(i, fleet.signal(), new WaitingLimits(1_000, 1_000)));
        }
    }

    @Test
    void writerIsServedThoughOneReaderComesAndGoes() {
        Lease first =
                acquire(1, LockKind.EXCLUSIVE, Duration.ZERO).join().granted().orElseThrow();
        CompletableFuture<Acquisition> before = acquire(0, LockKind.EXCLUSIVE, PATIENCE);
        fleet.time.pass(Duration.ofMillis(5));
        CompletableFuture<Acquisition> writer = acquire(0, LockKind.EXCLUSIVE, PATIENCE);
        fleet.time.pass(Duration.ofMillis(100));
        replicas.get(1).release(RESOURCE, first.token());
        fleet.time.pass(Duration.ofMillis(20));
        Lease own = before.getNow(null).granted().orElseThrow();
        // A reader waits on another replica, which gets the lock first.
        CompletableFuture<Acquisition> reader = acquire(2, LockKind.SHARED, PATIENCE);
        reader.thenAccept(outcome -> fleet.time.after(Duration.ofMillis(1), () -> replicas.get(2)
                .release(RESOURCE, outcome.granted().orElseThrow().token())
                .thenRun(() -> read(1))));
        fleet.time.pass(Duration.ofMillis(100));
        replicas.get(0).release(RESOURCE, own.token());
        MonotonicTime began = fleet.time.now();
        while (!writer.isDone() && fleet.time.now().since(began).compareTo(Duration.ofSeconds(21)) < 0) {
            fleet.time.pass(Duration.ofMillis(1));
        }
        Duration waited = fleet.time.now().since(began);
        assertTrue(waited.compareTo(Duration.ofMillis(300)) < 0, waited + ", reads " + reads);
    }

    /** Reads for a millisecond, again and again. */
    private void read(int replica) {
        if (reads > 30_000) {
            return;
        }
        acquire(replica, LockKind.SHARED, PATIENCE).thenAccept(outcome -> {
            reads++;
            Lease lease = outcome.granted().orElseThrow();
            fleet.time.after(
                    Duration.ofMillis(1),
                    () -> replicas.get(replica).release(RESOURCE, lease.token()).thenRun(() -> read(replica)));
        });
    }

    private CompletableFuture<Acquisition> acquire(int replica, LockKind kind, Duration patience) {
        CompletableFuture<Acquisition> outcome = replicas.get(replica)
                .acquire(RESOURCE, new AcquireTerms(TTL, patience, Optional.empty(), Optional.empty(), kind));
        if (patience.isZero()) {
            fleet.time.pass(Duration.ofMillis(10));
        }
        return outcome;
    }
}
