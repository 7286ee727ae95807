// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.service.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.quarkus.runtime.StartupEvent;
import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.lock.LockOutcome;
import io.quorumlock.service.waiting.WaitQueues.WaitListener;
import io.quorumlock.service.waiting.WaiterCount;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;

/** The meters of acquires as their clients see them: one outcome each, after any number of attempts. */
@Singleton
final class WaitMeters implements WaitListener {
    private static final Duration[] BUCKETS = {
        Duration.ofMillis(1),
        Duration.ofMillis(5),
        Duration.ofMillis(25),
        Duration.ofMillis(100),
        Duration.ofMillis(500),
        Duration.ofSeconds(1),
        Duration.ofSeconds(5),
        Duration.ofSeconds(10)
    };

    private final MeterRegistry registry;
    private final Map<LockKind.Type, OutcomeMeters<Counter>> acquires = new EnumMap<>(LockKind.Type.class);
    private final OutcomeMeters<Timer> waits;
    private final Counter rejected;

    WaitMeters(MeterRegistry registry) {
        this.registry = registry;
        for (LockKind.Type kind : LockKind.Type.values()) {
            MeterProvider<Counter> counters = Counter.builder("quorumlock.acquires")
                    .description("Acquires by kind of lock and outcome")
                    .tag("kind", LockOutcome.label(kind))
                    .withRegistry(registry);
            acquires.put(kind, new OutcomeMeters<>(counters, EnumSet.allOf(Acquisition.Kind.class)));
        }
        waits = new OutcomeMeters<>(
                Timer.builder("quorumlock.wait")
                        .description("Time spent waiting for a lock")
                        .serviceLevelObjectives(BUCKETS)
                        .withRegistry(registry),
                EnumSet.complementOf(EnumSet.of(Acquisition.Kind.TOO_MANY_WAITERS)));
        rejected = Counter.builder("quorumlock.waiters.rejected")
                .description("Requests rejected because too many were waiting")
                .register(registry);
    }

    /** Registers the gauge at start-up, because the wait queues themselves depend on this listener. */
    void onStart(@Observes StartupEvent event, WaiterCount waiters) {
        Gauge.builder("quorumlock.waiters", waiters, WaiterCount::all)
                .description("Requests waiting on this replica")
                .register(registry);
    }

    @Override
    public void acquired(LockKind.Type kind, Acquisition outcome) {
        acquires.get(kind).of(outcome).increment();
    }

    @Override
    public void waited(Acquisition outcome, Duration elapsed) {
        waits.of(outcome).record(elapsed);
    }

    @Override
    public void rejected() {
        rejected.increment();
    }
}
