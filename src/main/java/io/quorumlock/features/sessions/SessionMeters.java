// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.sessions;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.StartupEvent;
import io.quorumlock.features.sessions.SessionClient.SessionEndReason;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.Locale;
import java.util.stream.Stream;

/** The meters of sessions. */
@Singleton
final class SessionMeters {
    private final MeterRegistry registry;
    private final MeterProvider<Counter> ends;

    SessionMeters(MeterRegistry registry) {
        this.registry = registry;
        ends = Counter.builder("quorumlock.sessions.ended")
                .description("Ended sessions, by reason")
                .withRegistry(registry);
        // Registers all series before the first event, so that rates include it.
        Stream.of(SessionEndReason.values()).forEach(this::counter);
    }

    /** Registers the gauge at start-up, because the sessions themselves depend on these meters. */
    void onStart(@Observes StartupEvent event, Sessions sessions) {
        Gauge.builder("quorumlock.sessions", sessions, Sessions::count)
                .description("Sessions on this replica, including those that wait for their lease")
                .register(registry);
    }

    void ended(SessionEndReason reason) {
        counter(reason).increment();
    }

    private Counter counter(SessionEndReason reason) {
        return ends.withTag("reason", reason.name().toLowerCase(Locale.ROOT));
    }
}
