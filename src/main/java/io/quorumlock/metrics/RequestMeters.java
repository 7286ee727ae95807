package io.quorumlock.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.StartupEvent;
import io.quorumlock.lock.RequestClass;
import io.quorumlock.lock.RequestLoad;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.Locale;

/** The meters of the request limiter. */
@Singleton
final class RequestMeters {
    private final MeterRegistry registry;

    RequestMeters(MeterRegistry registry) {
        this.registry = registry;
    }

    void onStart(@Observes StartupEvent event, RequestLoad requests) {
        Gauge.builder("quorumlock.requests.in.flight", requests, RequestLoad::inFlight)
                .description("Requests in flight on this replica, except those waiting for a lock")
                .register(registry);
        for (RequestClass lane : RequestClass.values()) {
            FunctionCounter.builder("quorumlock.requests.shed", requests, all -> all.shed(lane))
                    .description("Requests rejected because too many were in flight")
                    .tag("lane", lane.name().toLowerCase(Locale.ROOT))
                    .register(registry);
        }
    }
}
