// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.service.waiting;

import static io.quorumlock.testing.FakeFleet.RESOURCE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.lock.AcquireTerms;
import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.Lease;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.service.waiting.WaitQueues.WaitingLimits;
import io.quorumlock.testing.FakeFleet;
import io.quorumlock.testing.FakeMaster.Fault;
import io.quorumlock.testing.FakeSignal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Random acquires, releases, disconnects and faults. Every call must end in time and leave no key, waiter or timer. */
@Execution(ExecutionMode.CONCURRENT)
class RandomWaitsTest {
    private static final Duration TTL = Duration.ofSeconds(2);

    private record Asked(CompletableFuture<Acquisition> answer, long latest) {}

    @Test
    void endsAllCallsAndLeavesNoState() {
        for (int seed = 0; seed < 200; seed++) {
            run(seed);
        }
    }

    private static void run(int seed) {
        Random random = new Random(seed);
        FakeFleet fleet = new FakeFleet(5);
        fleet.masters.forEach(master -> master.answerAfter(Duration.ofNanos(random.nextInt(12_000_000))));
        List<FakeSignal> signals = List.of(fleet.signal(), fleet.signal());
        List<WaitQueues> queues = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            queues.add(fleet.waitQueues(seed * 2L + i, signals.get(i), new WaitingLimits(100, 100)));
        }
        List<Asked> asked = new ArrayList<>();
        List<Lease> leases = new ArrayList<>();
        for (int step = 0; step < 150; step++) {
            WaitQueues queue = queues.get(random.nextInt(2));
            switch (random.nextInt(9)) {
                case 0, 1, 2 -> {
                    Duration patience = Duration.ofMillis(1 + random.nextInt(random.nextBoolean() ? 20 : 1_500));
                    Optional<LeaseToken> token = random.nextInt(3) == 0
                            ? Optional.of(new LeaseToken("token-of-client-" + random.nextInt(4)))
                            : Optional.empty();
                    CompletableFuture<Acquisition> answer = queue.acquire(
                            RESOURCE, new AcquireTerms(TTL, patience, token, Optional.empty(), LockKind.EXCLUSIVE));
                    answer.thenAccept(outcome -> {
                        if (outcome instanceof Acquisition.Acquired got) {
                            leases.add(got.lease());
                        } else if (outcome instanceof Acquisition.Replayed got) {
                            leases.add(got.lease());
                        }
                    });
                    asked.add(new Asked(
                            answer,
                            fleet.time.now().nanos() + patience.plusMillis(250).toNanos()));
                }
                case 3 -> {
                    if (!asked.isEmpty()) {
                        asked.get(random.nextInt(asked.size())).answer().cancel(false);
                    }
                }
                case 4, 5, 6 -> {
                    if (!leases.isEmpty()) {
                        CompletableFuture<?> release = queue.release(
                                RESOURCE,
                                leases.remove(random.nextInt(leases.size())).token());
                        if (random.nextInt(4) == 0) {
                            release.cancel(false);
                        }
                    }
                }
                case 7 -> {
                    if (random.nextInt(4) == 0) {
                        fleet.heal();
                        Fault fault =
                                random.nextBoolean() ? Fault.SILENT : random.nextBoolean() ? Fault.DOWN : Fault.MUTE;
                        fleet.setFault(fault, 1 + random.nextInt(5), 1 + random.nextInt(5));
                    } else {
                        fleet.heal();
                    }
                }
                default -> {
                    // Only time passes.
                }
            }
            fleet.time.pass(Duration.ofNanos(random.nextInt(random.nextInt(5) == 0 ? 300_000_000 : 4_000_000)));
            for (Asked one : asked) {
                assertTrue(one.answer().isDone() || fleet.time.now().nanos() <= one.latest(), "late, seed " + seed);
            }
        }
        fleet.heal();
        fleet.time.pass(Duration.ofSeconds(2));
        asked.forEach(one -> assertTrue(one.answer().isDone(), "unanswered, seed " + seed));
        queues.forEach(queue -> assertEquals(0, queue.all(), "seed " + seed));
        signals.forEach(signal -> assertEquals(0, signal.watches(), "seed " + seed));
        fleet.time.pass(Duration.ofSeconds(70));
        assertEquals(0, fleet.holding(), "seed " + seed);
        assertEquals(0, fleet.time.pending(), "seed " + seed);
    }
}
