// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quorumlock.settings.QuorumlockConfig;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Supplier;

/**
 * The limiter of requests to the engine, without waiting acquires, which the wait queues limit. Further requests are rejected at
 * once (R14). Extensions and releases have reserved capacity, so that overload neither ends leases in use nor keeps unneeded ones.
 */
@Singleton
public final class RequestLimiter {
    private final int most;
    private final int reserved;
    private final AtomicInteger inFlight = new AtomicInteger();
    private final AtomicLongArray shed = new AtomicLongArray(Lane.values().length);
    private volatile boolean closed;

    /** The class of a request. */
    enum Lane {
        /** Acquires and reads. They are rejected first under load. */
        OPEN,
        /** Extensions and releases. Rejecting them would lose a lease in use, or keep one that is no longer needed. */
        RESERVED
    }

    @Inject
    RequestLimiter(QuorumlockConfig config, MeterRegistry registry) {
        this(config.requests().maxInFlight(), config.requests().reserved());
        Gauge.builder("quorumlock.requests.in.flight", this, RequestLimiter::inFlight)
                .description("Requests in flight on this replica, except those waiting for a lock")
                .register(registry);
        for (Lane lane : Lane.values()) {
            FunctionCounter.builder("quorumlock.requests.shed", this, all -> all.shed(lane))
                    .description("Requests rejected because too many were in flight")
                    .tag("lane", lane.name().toLowerCase(Locale.ROOT))
                    .register(registry);
        }
    }

    /**
     * @param most maximum number of requests in flight
     * @param reserved additional number for extensions and releases
     */
    RequestLimiter(int most, int reserved) {
        this.most = most;
        this.reserved = reserved;
    }

    /**
     * Makes the call. It is in flight until it is answered or cancelled.
     *
     * @throws ProblemException if the limit is reached or the replica is shutting down
     */
    <T> CompletableFuture<T> call(Lane lane, Supplier<CompletableFuture<T>> call) {
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

    private void enter(Lane lane) {
        if (closed) {
            throw new ProblemException(Problems.shuttingDown("Nothing was done."));
        }
        if (inFlight.incrementAndGet() > (lane == Lane.RESERVED ? most + reserved : most)) {
            inFlight.decrementAndGet();
            shed.incrementAndGet(lane.ordinal());
            throw new ProblemException(Problems.overloaded());
        }
    }

    int inFlight() {
        return inFlight.get();
    }

    /** Returns how many requests were rejected because too many were in flight. */
    long shed(Lane lane) {
        return shed.get(lane.ordinal());
    }

    /** Rejects new requests. Requests in flight continue. */
    public void end() {
        closed = true;
    }
}
