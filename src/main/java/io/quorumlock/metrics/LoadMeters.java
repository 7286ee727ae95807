// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.StartupEvent;
import io.quorumlock.events.OpenStreams;
import io.quorumlock.lock.RequestLoad;
import io.quorumlock.lock.RequestLoad.RequestClass;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.Locale;

/** The meters of requests in flight and of event streams. */
@Singleton
final class LoadMeters {
    private final MeterRegistry registry;

    LoadMeters(MeterRegistry registry) {
        this.registry = registry;
    }

    void onStart(@Observes StartupEvent event, RequestLoad requests, OpenStreams streams) {
        Gauge.builder("quorumlock.requests.in.flight", requests, RequestLoad::inFlight)
                .description("Requests in flight on this replica, except those waiting for a lock")
                .register(registry);
        for (RequestClass lane : RequestClass.values()) {
            FunctionCounter.builder("quorumlock.requests.shed", requests, all -> all.shed(lane))
                    .description("Requests rejected because too many were in flight")
                    .tag("lane", lane.name().toLowerCase(Locale.ROOT))
                    .register(registry);
        }
        Gauge.builder("quorumlock.event.streams", streams, OpenStreams::open)
                .description("Open event streams on this replica")
                .register(registry);
        FunctionCounter.builder("quorumlock.event.streams.cut", streams, OpenStreams::cut)
                .description("Event streams closed because the client read too slowly")
                .register(registry);
    }
}
