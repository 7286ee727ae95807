// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.service.waiting;

import static io.quorumlock.testing.FakeFleet.A;
import static io.quorumlock.testing.FakeFleet.B;
import static io.quorumlock.testing.FakeFleet.NODE_TIMEOUT;
import static io.quorumlock.testing.FakeFleet.RESOURCE;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.lock.AcquireTerms;
import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.loop.Drift;
import io.quorumlock.core.loop.MonotonicTime;
import io.quorumlock.service.waiting.WaitQueues.WaitingLimits;
import io.quorumlock.testing.FakeFleet;
import io.quorumlock.testing.FakeMaster.Fault;
import io.quorumlock.testing.FakeSignal;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * L1, R12: waiting for a crashed holder without announcements. A waiter acquires the lock as soon as a majority can be
 * free.
 */
@Execution(ExecutionMode.CONCURRENT)
@Proves("L1")
class VanishedHolderTest {
    private static final Duration TTL = Duration.ofSeconds(5);
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    /** Redis returns the remaining time in whole milliseconds, and the waiter adds one millisecond. */
    private static final Duration ROUNDING = Duration.ofMillis(2);

    private final FakeFleet fleet = new FakeFleet(5);
    private final Random random = new Random(1);

    /** One round trip after the lock expires, at whatever time the wait began. */
    @ParameterizedTest
    @ValueSource(ints = {100, 1_000, 7_300, 20_000, 40_000})
    void acquiresLockOfVanishedHolderAfterTtlAndRoundTrip(int micros) {
        Duration roundTrip = Duration.ofNanos(micros * 1_000L);
        fleet.masters.forEach(master -> master.answerAfter(roundTrip));
        for (int i = 0; i < 200; i++) {
            assertAtMost(TTL.plus(roundTrip).plus(ROUNDING), grantedAfter(moment()));
        }
    }

    /** The slowest of the three nearest masters decides. */
    @Test
    void toleratesDifferentDistancesOfMasters() {
        for (int i = 0; i < 200; i++) {
            fleet.masters.forEach(master -> master.answerAfter(Duration.ofNanos(random.nextInt(20_000_000))));
            assertAtMost(TTL.plusMillis(2 * 20).plus(ROUNDING), grantedAfter(moment()));
        }
    }

    /** The refused attempt and its clean-up wait for the silent masters. That must not delay the next attempt further. */
    @Test
    void toleratesTwoSilentMasters() {
        Duration roundTrip = Duration.ofMillis(1);
        fleet.masters.forEach(master -> master.answerAfter(roundTrip));
        fleet.setFault(Fault.SILENT, 2, 5);
        for (int i = 0; i < 200; i++) {
            Duration asked = moment().multipliedBy(95).dividedBy(100);
            assertAtMost(TTL.plus(roundTrip).plus(ROUNDING), grantedAfter(asked));
        }
    }

    /** The next attempt starts at once if the clean-up outlasts the lease. */
    @Test
    void lateWaiterWaitsForTwoTimeouts() {
        fleet.setFault(Fault.SILENT, 2, 5);
        for (int i = 0; i < 200; i++) {
            Duration asked = TTL.minusNanos(random.nextInt(100_000_000));
            assertAtMost(TTL.plus(NODE_TIMEOUT.multipliedBy(2)).plus(ROUNDING), grantedAfter(asked));
        }
    }

    /** Replicas wake at the same moment and split the votes. Random delays within the drift resolve this. */
    @Test
    void acquiresWhenSeveralReplicasWait() {
        fleet.masters.forEach(master -> master.answerAfter(Duration.ofMillis(1)));
        Duration drift = new Drift(0.01, Duration.ofMillis(2)).of(TTL);
        for (int i = 0; i < 200; i++) {
            assertAtMost(TTL.plus(drift), grantedAfter(moment(), moment(), moment()));
        }
    }

    private Duration moment() {
        return Duration.ofNanos(random.nextLong(TTL.toNanos()));
    }

    /** Starts a wait on one replica per given delay, returns the time of the first grant, and ends all waits. */
    private Duration grantedAfter(Duration... asked) {
        fleet.await(fleet.engine.acquire(
                RESOURCE, new AcquireTerms(TTL, Duration.ZERO, Optional.of(A), Optional.empty(), LockKind.EXCLUSIVE)));
        MonotonicTime begun = fleet.time.now();
        List<Duration> granted = new ArrayList<>();
        List<CompletableFuture<Acquisition>> waiting = new ArrayList<>();
        for (Duration delay : asked) {
            WaitQueues queues = queuesWithoutSignal();
            LeaseToken token = asked.length == 1 ? B : new LeaseToken("token-of-waiter-" + waiting.size());
            fleet.time.after(delay, () -> {
                CompletableFuture<Acquisition> answer = queues.acquire(RESOURCE, terms(token));
                answer.thenAccept(outcome -> recordGrant(outcome, granted, begun));
                waiting.add(answer);
            });
        }
        fleet.time.pass(PATIENCE);
        waiting.forEach(answer -> answer.cancel(false));
        fleet.time.pass(TTL.multipliedBy(2));
        assertTrue(!granted.isEmpty(), "no waiter acquired the lock");
        return granted.get(0);
    }

    private void recordGrant(Acquisition outcome, List<Duration> granted, MonotonicTime begun) {
        if (outcome instanceof Acquisition.Acquired) {
            granted.add(fleet.time.now().since(begun));
        }
    }

    private WaitQueues queuesWithoutSignal() {
        FakeSignal signal = fleet.signal();
        signal.cut();
        return fleet.waitQueues(random.nextLong(), signal, new WaitingLimits(4, 3));
    }

    private static AcquireTerms terms(LeaseToken token) {
        return new AcquireTerms(TTL, PATIENCE, Optional.of(token), Optional.empty(), LockKind.EXCLUSIVE);
    }

    private static void assertAtMost(Duration most, Duration actual) {
        assertTrue(actual.compareTo(most) <= 0, () -> actual + " is more than " + most);
    }
}
