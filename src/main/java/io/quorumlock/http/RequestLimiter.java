// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Singleton;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * The limiter of requests to the engine, without waiting acquires, which the wait queues limit. Further requests are rejected at
 * once (R14). Extensions and releases have reserved capacity, so that overload neither ends leases in use nor keeps unneeded ones.
 */
@Singleton
public final class RequestLimiter {
    private final int most;
    private final int reserved;
    private final AtomicInteger inFlight = new AtomicInteger();
    final Map<Lane, Counter> shed = new EnumMap<>(Lane.class);
    private volatile boolean closed;

    /** The class of a request. */
    enum Lane {
        /** Acquires and reads. They are rejected first under load. */
        OPEN,
        /** Extensions and releases. Rejecting them would lose a lease in use, or keep one that is no longer needed. */
        RESERVED
    }

    /**
     * @param most maximum number of requests in flight
     * @param reserved additional number for extensions and releases
     */
    RequestLimiter(
            @ConfigProperty(name = "quorumlock.requests.max-in-flight") int most,
            @ConfigProperty(name = "quorumlock.requests.reserved") int reserved,
            MeterRegistry registry) {
        this.most = most;
        this.reserved = reserved;
        Gauge.builder("quorumlock.requests.in.flight", this, RequestLimiter::inFlight)
                .description("Requests in flight on this replica, except those waiting for a lock")
                .register(registry);
        for (Lane lane : Lane.values()) {
            shed.put(
                    lane,
                    Counter.builder("quorumlock.requests.shed")
                            .description("Requests rejected because too many were in flight")
                            .tag("lane", lane.name().toLowerCase(Locale.ROOT))
                            .register(registry));
        }
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
            shed.get(lane).increment();
            throw new ProblemException(Problems.overloaded());
        }
    }

    int inFlight() {
        return inFlight.get();
    }

    /** Rejects new requests. Requests in flight continue. */
    public void end() {
        closed = true;
    }
}
