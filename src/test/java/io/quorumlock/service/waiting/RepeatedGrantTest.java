// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.service.waiting;

import static io.quorumlock.testing.FakeFleet.A;
import static io.quorumlock.testing.FakeFleet.B;
import static io.quorumlock.testing.FakeFleet.RESOURCE;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.quorumlock.core.lock.AcquireTerms;
import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.service.waiting.WaitQueues.WaitingLimits;
import io.quorumlock.testing.FakeFleet;
import io.quorumlock.testing.FakeSignal;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** L1: the next waiter has the lock of a holder that is gone one round trip after its TTL. */
class RepeatedGrantTest {
    private static final Duration ROUND_TRIP = Duration.ofMillis(1);
    private static final Duration BEFORE_END = Duration.ofMillis(100);
    private static final Duration ROUNDING = Duration.ofMillis(2);

    private final FakeFleet fleet = new FakeFleet(5);
    private final FakeSignal signal = fleet.signal();
    private final WaitQueues queues = fleet.waitQueues(7, signal, new WaitingLimits(10, 10));

    /**
     * The holder repeats its acquire shortly before its end, and is gone. Another client waits already, and the subscriptions for it
     * begin during the attempt of the holder, so that this replica no longer trusts what it knows of the lock.
     */
    @ParameterizedTest
    @ValueSource(ints = {900, 5_000})
    void waiterGetsLockAfterTtlOfHolderThatRepeatedItsAcquire(int ttlMillis) {
        Duration ttl = Duration.ofMillis(ttlMillis);
        fleet.masters.forEach(master -> master.answerAfter(ROUND_TRIP));
        fleet.await(fleet.engine.acquire(RESOURCE, FakeFleet.terms(A, ttl)));
        fleet.time.pass(ttl.minus(BEFORE_END));
        CompletableFuture<Acquisition> waiting = acquire(B, ttl);
        fleet.time.pass(ROUND_TRIP.multipliedBy(3).dividedBy(2));
        CompletableFuture<Acquisition> repeated = acquire(A, ttl);
        fleet.time.pass(ROUND_TRIP);
        assertInstanceOf(Acquisition.Replayed.class, repeated.getNow(null));
        fleet.time.pass(BEFORE_END.plus(ROUND_TRIP).plus(ROUNDING));
        assertInstanceOf(Acquisition.Acquired.class, waiting.getNow(null));
    }

    private CompletableFuture<Acquisition> acquire(LeaseToken token, Duration ttl) {
        return queues.acquire(
                RESOURCE,
                new AcquireTerms(
                        ttl, Duration.ofSeconds(30), Optional.of(token), Optional.empty(), LockKind.EXCLUSIVE));
    }
}
