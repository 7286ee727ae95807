// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.waiting;

import static io.quorumlock.testing.FakeFleet.RESOURCE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.lock.AcquireTerms;
import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.testing.FakeFleet;
import io.quorumlock.time.MonotonicTime;
import io.quorumlock.waiting.WaitQueues.WaitingLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Starvation: the order across replicas is random, but no waiter may wait far longer than others. */
@Execution(ExecutionMode.CONCURRENT)
class StarvationTest {
    private static final int REPLICAS = 4;
    private static final int CLIENTS = 3;
    private static final Duration HELD = Duration.ofMillis(10);
    private static final Duration TTL = Duration.ofSeconds(2);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration RUN = Duration.ofSeconds(60);
    private static final int TOO_LONG = 20;

    private final FakeFleet fleet = new FakeFleet(5);
    private final List<Duration> waits = new ArrayList<>();
    private int tokens;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void noWaitExceedsTwentyTimesTheMedian(long seed) {
        contend(seed, false);
    }

    /** Behind a load balancer, a release rarely arrives at the replica of the waiter. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void noWaitExceedsTwentyTimesTheMedianIfReleasesArriveAnywhere(long seed) {
        contend(seed, true);
    }

    private void contend(long seed, boolean releasesAnywhere) {
        Random random = new Random(seed);
        varyLatencies(random);
        List<WaitQueues> replicas = new ArrayList<>();
        for (int i = 0; i < REPLICAS; i++) {
            replicas.add(fleet.waitQueues(seed * 100 + i, fleet.signal(), new WaitingLimits(100, 100)));
        }
        for (int i = 0; i < REPLICAS * CLIENTS; i++) {
            WaitQueues queues = replicas.get(i % REPLICAS);
            acquireAgain(queues, () -> releasesAnywhere ? replicas.get(random.nextInt(REPLICAS)) : queues);
        }
        fleet.time.pass(RUN);
        waits.sort(null);
        Duration median = waits.get(waits.size() / 2);
        Duration longest = waits.get(waits.size() - 1);
        assertTrue(waits.size() > 1_000, () -> waits.size() + " were served");
        assertTrue(longest.compareTo(median.multipliedBy(TOO_LONG)) < 0, () -> "median " + median + ", " + longest);
    }

    /** Changes the round-trip time of each node repeatedly. */
    private void varyLatencies(Random random) {
        fleet.nodes.forEach(node -> node.answerAfter(Duration.ofNanos(300_000 + random.nextInt(700_000))));
        fleet.time.after(Duration.ofMillis(5), () -> varyLatencies(random));
    }

    private void acquireAgain(WaitQueues queues, Supplier<WaitQueues> releasing) {
        LeaseToken token = new LeaseToken("token-of-waiter-" + ++tokens);
        AcquireTerms terms = new AcquireTerms(TTL, Duration.ZERO, PATIENCE, Optional.of(token), Optional.empty());
        MonotonicTime joined = fleet.time.engineContext(0).clock().now();
        queues.acquire(RESOURCE, terms).thenAccept(outcome -> {
            assertEquals(Acquisition.Acquired.class, outcome.getClass());
            waits.add(fleet.time.engineContext(0).clock().now().since(joined));
            fleet.time.after(
                    HELD,
                    () -> releasing.get().release(RESOURCE, token).thenRun(() -> acquireAgain(queues, releasing)));
        });
    }
}
