// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.service.waiting;

import static io.quorumlock.testing.FakeFleet.RESOURCE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.lock.AcquireTerms;
import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.Lease;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.loop.MonotonicTime;
import io.quorumlock.service.waiting.WaitQueues.WaitingLimits;
import io.quorumlock.testing.FakeFleet;
import io.quorumlock.testing.Proves;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Waiting for shared locks and semaphores, on two replicas. */
@Execution(ExecutionMode.CONCURRENT)
@Proves("C")
class KindsWaitTest {
    private static final Duration TTL = Duration.ofSeconds(10);
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final FakeFleet fleet = new FakeFleet(5);
    private final Random random = new Random(1);
    private final List<WaitQueues> replicas = new ArrayList<>();
    private int holding;
    private int most;
    private int grants;

    KindsWaitTest() {
        fleet.masters.forEach(master -> master.answerAfter(Duration.ofMillis(1)));
        for (int i = 0; i < 2; i++) {
            replicas.add(fleet.waitQueues(i, fleet.signal(), new WaitingLimits(1_000, 1_000)));
        }
    }

    @Test
    void sharedWaitersGetTheLockTogether() {
        Lease writer =
                acquire(0, LockKind.EXCLUSIVE, Duration.ZERO).join().granted().orElseThrow();
        List<CompletableFuture<Acquisition>> readers = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            readers.add(acquire(i % 2, LockKind.SHARED, PATIENCE));
        }
        fleet.time.pass(Duration.ofMillis(300));
        replicas.get(0).release(RESOURCE, writer.token());
        fleet.time.pass(Duration.ofMillis(200));
        assertTrue(readers.stream().allMatch(CompletableFuture::isDone));
    }

    /** A hundred round trips, one for each reader, would take 200 ms. */
    @Test
    void waitingReadersAreLetInTogether() {
        Lease writer =
                acquire(0, LockKind.EXCLUSIVE, Duration.ZERO).join().granted().orElseThrow();
        List<CompletableFuture<Acquisition>> readers = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            readers.add(acquire(0, LockKind.SHARED, PATIENCE));
        }
        fleet.time.pass(Duration.ofMillis(300));
        replicas.get(0).release(RESOURCE, writer.token());
        fleet.time.pass(Duration.ofMillis(10));
        assertTrue(readers.stream().allMatch(CompletableFuture::isDone));
    }

    @Test
    void noReaderOvertakesAnEarlierWriter() {
        Lease holder =
                acquire(0, LockKind.EXCLUSIVE, Duration.ZERO).join().granted().orElseThrow();
        List<CompletableFuture<Acquisition>> before = new ArrayList<>();
        List<CompletableFuture<Acquisition>> after = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            before.add(acquire(0, LockKind.SHARED, PATIENCE));
        }
        CompletableFuture<Acquisition> writer = acquire(0, LockKind.EXCLUSIVE, PATIENCE);
        for (int i = 0; i < 20; i++) {
            after.add(acquire(0, LockKind.SHARED, PATIENCE));
        }
        fleet.time.pass(Duration.ofMillis(300));
        replicas.get(0).release(RESOURCE, holder.token());
        fleet.time.pass(Duration.ofMillis(300));
        assertTrue(before.stream().allMatch(CompletableFuture::isDone));
        assertTrue(after.stream().noneMatch(CompletableFuture::isDone));
        before.forEach(reader -> replicas.get(0)
                .release(RESOURCE, reader.join().granted().orElseThrow().token()));
        fleet.time.pass(Duration.ofMillis(300));
        Lease next = writer.getNow(null).granted().orElseThrow();
        assertTrue(after.stream().noneMatch(CompletableFuture::isDone));
        replicas.get(0).release(RESOURCE, next.token());
        fleet.time.pass(Duration.ofMillis(300));
        assertTrue(after.stream().allMatch(CompletableFuture::isDone));
    }

    @Test
    void writerIsServedAmongReadersThatComeAndGo() {
        for (int reader = 0; reader < 20; reader++) {
            read(reader % 2);
        }
        fleet.time.pass(Duration.ofSeconds(1));
        for (int i = 0; i < 10; i++) {
            MonotonicTime began = fleet.time.now();
            CompletableFuture<Acquisition> writer = acquire(i % 2, LockKind.EXCLUSIVE, PATIENCE);
            while (!writer.isDone()) {
                fleet.time.pass(Duration.ofMillis(1));
            }
            Duration waited = fleet.time.now().since(began);
            assertTrue(waited.compareTo(Duration.ofMillis(300)) < 0, waited::toString);
            assertEquals(0, holding);
            Lease lease = writer.join().granted().orElseThrow();
            fleet.time.pass(Duration.ofMillis(20));
            assertEquals(0, holding);
            replicas.get(i % 2).release(RESOURCE, lease.token());
            fleet.time.pass(Duration.ofSeconds(1));
            assertTrue(holding > 0);
        }
    }

    @Test
    void semaphoreIsFullMostOfTheTime() {
        for (int client = 0; client < 20; client++) {
            useSlot(client % 2);
        }
        fleet.time.pass(Duration.ofSeconds(20));
        assertEquals(3, most);
        // Three slots of about 60 ms for 20 s.
        assertTrue(grants > 900, () -> "grants " + grants);
    }

    private void read(int replica) {
        acquire(replica, LockKind.SHARED, PATIENCE).thenAccept(outcome -> {
            Lease lease = outcome.granted().orElseThrow();
            holding++;
            fleet.time.after(Duration.ofMillis(50 + random.nextInt(200)), () -> {
                holding--;
                replicas.get(replica).release(RESOURCE, lease.token()).thenRun(() -> read(replica));
            });
        });
    }

    private void useSlot(int replica) {
        acquire(replica, LockKind.ofSlots(3), PATIENCE).thenAccept(outcome -> {
            Lease lease = outcome.granted().orElseThrow();
            holding++;
            grants++;
            most = Math.max(most, holding);
            fleet.time.after(Duration.ofMillis(50 + random.nextInt(20)), () -> {
                holding--;
                replicas.get(replica).release(RESOURCE, lease.token()).thenRun(() -> useSlot(replica));
            });
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
