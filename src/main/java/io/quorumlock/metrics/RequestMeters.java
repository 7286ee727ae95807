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

/** Counts what this replica works on, and what it turns away. */
@Singleton
final class RequestMeters {
    private final MeterRegistry registry;

    RequestMeters(MeterRegistry registry) {
        this.registry = registry;
    }

    void onStart(@Observes StartupEvent event, RequestLoad requests) {
        Gauge.builder("quorumlock.requests.in.flight", requests, RequestLoad::inFlight)
                .description("Requests that this replica works on, without those that wait for a lock")
                .register(registry);
        for (RequestClass lane : RequestClass.values()) {
            FunctionCounter.builder("quorumlock.requests.shed", requests, all -> all.shed(lane))
                    .description("Requests that were turned away because too many were in flight")
                    .tag("lane", lane.name().toLowerCase(Locale.ROOT))
                    .register(registry);
        }
    }
}
