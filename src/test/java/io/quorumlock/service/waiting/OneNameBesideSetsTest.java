// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.service.waiting;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.lock.AcquireTerms;
import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.core.loop.MonotonicTime;
import io.quorumlock.service.waiting.WaitQueues.WaitingLimits;
import io.quorumlock.testing.FakeConsensus;
import io.quorumlock.testing.FakeFleet;
import io.quorumlock.testing.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A client that waits for one lock, on one replica with two clients that always want it together with another one. */
class OneNameBesideSetsTest {
    private static final Duration TTL = Duration.ofSeconds(10);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration HELD = Duration.ofMillis(10);

    private WaitQueues replica;
    private VirtualTime time;
    private int grants;

    @ParameterizedTest
    @CsvSource({"redlock, a, c", "redlock, c, a", "store, a, c", "store, c, a"})
    void isServedInOrderOfArrival(String engine, String other, String wanted) {
        if (engine.equals("store")) {
            FakeConsensus fixture = new FakeConsensus();
            fixture.store.answerAfter(Duration.ofMillis(1));
            time = fixture.time;
            replica = fixture.waitQueues(fixture.store.connect(), 5);
        } else {
            FakeFleet fleet = new FakeFleet(5);
            fleet.masters.forEach(master -> master.answerAfter(Duration.ofMillis(1)));
            time = fleet.time;
            replica = fleet.waitQueues(1, fleet.signal(), new WaitingLimits(100, 100));
        }
        ResourceNames set = new ResourceNames(List.of(new ResourceName(other), new ResourceName(wanted)));
        hold(set);
        hold(set);
        time.pass(Duration.ofMillis(205));
        MonotonicTime began = time.now();
        int before = grants;
        CompletableFuture<Acquisition> waiter = acquire(ResourceNames.of(new ResourceName(wanted)));
        while (!waiter.isDone()) {
            time.pass(Duration.ofMillis(1));
        }
        Duration waited = time.now().since(began);
        assertTrue(waited.compareTo(HELD.multipliedBy(10)) < 0, waited + ", overtaken by " + (grants - before));
    }

    private void hold(ResourceNames names) {
        acquire(names).thenAccept(outcome -> {
            grants++;
            time.after(HELD, () -> replica.release(
                            names, outcome.granted().orElseThrow().token(), Duration.ZERO)
                    .thenRun(() -> time.after(Duration.ofMillis(1), () -> hold(names))));
        });
    }

    private CompletableFuture<Acquisition> acquire(ResourceNames names) {
        return replica.acquire(
                names, new AcquireTerms(TTL, PATIENCE, Optional.empty(), Optional.empty(), LockKind.EXCLUSIVE));
    }
}
