// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.rest;

import io.quorumlock.lock.RequestLoad;
import io.quorumlock.lock.RequestLoad.RequestClass;
import io.quorumlock.lock.RequestLoad.RequestLimits;
import jakarta.inject.Singleton;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Supplier;

/**
 * The limiter of requests to the engine. Further requests are rejected at once (R14). Extensions and releases
 * have reserved capacity, so that overload neither ends leases in use nor keeps unneeded ones.
 */
@Singleton
final class RequestLimiter implements RequestLoad {
    private final RequestLimits limits;
    private final AtomicInteger inFlight = new AtomicInteger();
    private final AtomicLongArray shed = new AtomicLongArray(RequestClass.values().length);
    private volatile boolean closed;

    RequestLimiter(RequestLimits limits) {
        this.limits = limits;
    }

    /**
     * Makes the call. It is in flight until it is answered or cancelled.
     *
     * @throws ProblemException if the limit is reached or the replica is shutting down
     */
    <T> CompletableFuture<T> call(RequestClass lane, Supplier<CompletableFuture<T>> call) {
        enter(lane);
        CompletableFuture<T> outcome;
        try {
            outcome = call.get();
        } catch (RuntimeException bug) {
            inFlight.decrementAndGet();
            throw bug;
        }
        outcome.whenComplete((end, bug) -> inFlight.decrementAndGet());
        return outcome;
    }

    private void enter(RequestClass lane) {
        if (closed) {
            throw new ProblemException(Problems.shuttingDown("Nothing was done."));
        }
        if (inFlight.incrementAndGet() > limits.most(lane)) {
            inFlight.decrementAndGet();
            shed.incrementAndGet(lane.ordinal());
            throw new ProblemException(Problems.overloaded());
        }
    }

    @Override
    public int inFlight() {
        return inFlight.get();
    }

    @Override
    public long shed(RequestClass lane) {
        return shed.get(lane.ordinal());
    }

    @Override
    public void end() {
        closed = true;
    }
}
