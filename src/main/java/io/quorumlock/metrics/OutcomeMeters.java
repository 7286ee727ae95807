// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;

/** The counters and timers of one operation, by outcome. All series exist from the start. */
final class OutcomeMeters {
    private static final Duration[] BUCKETS = {
        Duration.ofNanos(250_000),
        Duration.ofNanos(500_000),
        Duration.ofMillis(1),
        Duration.ofNanos(2_500_000),
        Duration.ofMillis(5),
        Duration.ofMillis(10),
        Duration.ofMillis(25),
        Duration.ofMillis(50),
        Duration.ofMillis(100)
    };

    private final Map<Outcome, Counter> counters = new EnumMap<>(Outcome.class);
    private final Map<Outcome, Timer> timers = new EnumMap<>(Outcome.class);

    OutcomeMeters(MeterRegistry registry, String verb, Set<Outcome> outcomes) {
        for (Outcome outcome : outcomes) {
            counters.put(
                    outcome,
                    Counter.builder("quorumlock." + verb + ".total")
                            .description("Requests to " + verb + " by outcome")
                            .tag("outcome", outcome.label())
                            .register(registry));
            timers.put(
                    outcome,
                    Timer.builder("quorumlock." + verb)
                            .description("Duration of the quorum round of " + verb)
                            .tag("outcome", outcome.label())
                            .serviceLevelObjectives(BUCKETS)
                            .register(registry));
        }
    }

    void record(Outcome outcome, Duration elapsed) {
        counters.get(outcome).increment();
        timers.get(outcome).record(elapsed);
    }
}
