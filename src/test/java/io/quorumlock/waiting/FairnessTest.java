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
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Fairness between replicas when any replica can receive a release, as behind a load balancer. */
@Execution(ExecutionMode.CONCURRENT)
class FairnessTest {
    private static final int REPLICAS = 2;
    private static final int MANY = 20;
    private static final int FEW = 2;
    private static final Duration HELD = Duration.ofMillis(10);
    private static final Duration TTL = Duration.ofSeconds(2);
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration RUN = Duration.ofSeconds(120);

    /**
     * Each grant needs about one acquire and one release per node, because a hand-over budget ends only after 16
     * grants.
     */
    private static final double MOST_COMMANDS = 2.2;
    /** With a budget of two, both replicas contend for every other grant. */
    private static final double MOST_COMMANDS_OF_FEW = 2.6;

    private final FakeFleet fleet = new FakeFleet(5);
    private final List<WaitQueues> replicas = new ArrayList<>();
    private final int[] served = new int[REPLICAS];
    private final List<Duration> waits = new ArrayList<>();
    private Random random;
    private int refused;
    private int tokens;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void servesReplicasAlikeIfReleasesArriveAtAny(long seed) {
        contend(MANY, seed, own -> random.nextInt(REPLICAS));
        assertFair(MOST_COMMANDS);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void servesReplicasAlikeIfReleasesArriveAtFirst(long seed) {
        contend(MANY, seed, own -> 0);
        assertFair(MOST_COMMANDS);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void servesReplicasAlikeIfReleasesArriveAtOther(long seed) {
        contend(MANY, seed, own -> 1 - own);
        assertFair(MOST_COMMANDS);
    }

    @Test
    void servesReplicasAlikeIfReleasesArriveAtReplicaOfWaiter() {
        contend(MANY, 1, IntUnaryOperator.identity());
        assertFair(MOST_COMMANDS);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void servesReplicasAlikeWithFewWaiters(long seed) {
        contend(FEW, seed, own -> random.nextInt(REPLICAS));
        assertFair(MOST_COMMANDS_OF_FEW);
    }

    private void contend(int clients, long seed, IntUnaryOperator releasedThrough) {
        random = new Random(seed);
        varyLatencies();
        for (int i = 0; i < REPLICAS; i++) {
            replicas.add(fleet.waitQueues(seed * 100 + i, fleet.signal(), new WaitingLimits(100, 100)));
        }
        for (int i = 0; i < REPLICAS * clients; i++) {
            acquireAgain(i % REPLICAS, releasedThrough);
        }
        fleet.time.pass(RUN);
    }

    private void assertFair(double mostCommands) {
        int all = waits.size();
        waits.sort(null);
        Duration median = waits.get(all / 2);
        Duration longest = waits.get(all - 1);
        String result = served[0] + " and " + served[1] + " served, " + refused + " refused, median wait " + median
                + ", longest " + longest + ", " + fleet.node(1).commands() / (double) all
                + " commands per node and grant";
        for (int grants : served) {
            assertTrue(grants * 3 >= all && grants * 3 <= all * 2, result);
        }
        assertEquals(0, refused, result);
        assertTrue(longest.compareTo(median.multipliedBy(20)) <= 0, result);
        assertTrue(fleet.node(1).commands() <= all * mostCommands, result);
        assertTrue(all > RUN.dividedBy(HELD.plusMillis(5)), result);
    }

    /** Changes the round-trip time of each node every 5 ms. */
    private void varyLatencies() {
        fleet.nodes.forEach(node -> node.answerAfter(Duration.ofNanos(300_000 + random.nextInt(700_000))));
        fleet.time.after(Duration.ofMillis(5), this::varyLatencies);
    }

    private void acquireAgain(int replica, IntUnaryOperator releasedThrough) {
        LeaseToken token = new LeaseToken("token-of-waiter-" + ++tokens);
        AcquireTerms terms = new AcquireTerms(TTL, Duration.ZERO, PATIENCE, Optional.of(token), Optional.empty());
        MonotonicTime joined = fleet.time.now();
        replicas.get(replica).acquire(RESOURCE, terms).thenAccept(outcome -> {
            if (outcome instanceof Acquisition.Acquired) {
                served[replica]++;
                waits.add(fleet.time.now().since(joined));
                WaitQueues queues = replicas.get(releasedThrough.applyAsInt(replica));
                fleet.time.after(HELD, () -> queues.release(RESOURCE, token)
                        .thenRun(() -> acquireAgain(replica, releasedThrough)));
            } else {
                refused++;
                acquireAgain(replica, releasedThrough);
            }
        });
    }
}
