// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.StartupEvent;
import io.quorumlock.session.SessionClient.SessionEndReason;
import io.quorumlock.session.Sessions;
import io.quorumlock.session.Sessions.SessionListener;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** The meters of sessions. */
@Singleton
final class SessionMeters implements SessionListener {
    private final MeterRegistry registry;
    private final Map<SessionEndReason, Counter> ends = new EnumMap<>(SessionEndReason.class);

    SessionMeters(MeterRegistry registry) {
        this.registry = registry;
        for (SessionEndReason end : SessionEndReason.values()) {
            ends.put(
                    end,
                    Counter.builder("quorumlock.sessions.ended")
                            .description("Ended sessions, by reason")
                            .tag("reason", end.name().toLowerCase(Locale.ROOT))
                            .register(registry));
        }
    }

    /** Registers the gauge at start-up, because the session manager itself depends on this listener. */
    void onStart(@Observes StartupEvent event, Sessions sessions) {
        Gauge.builder("quorumlock.sessions", sessions, Sessions::count)
                .description("Sessions on this replica, including those that wait for their lease")
                .register(registry);
    }

    @Override
    public void ended(SessionEndReason reason) {
        ends.get(reason).increment();
    }
}
