// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.StartupEvent;
import io.quorumlock.security.KeysState;
import io.quorumlock.security.SecurityListener;
import io.quorumlock.security.SecurityListener.RefusalReason;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** The meters of authentication and of the keys file. Labels contain neither keys nor addresses. */
@Singleton
final class SecurityMeters implements SecurityListener {
    private final MeterRegistry registry;
    private final MeterProvider<Counter> refusals;

    SecurityMeters(MeterRegistry registry) {
        this.registry = registry;
        refusals = Counter.builder("quorumlock.security.refusals")
                .description("Requests rejected by authentication, authorization or quota")
                .withRegistry(registry);
        // Registers all series before the first event, so that rates include it.
        Stream.of(RefusalReason.values()).forEach(this::counter);
    }

    void onStart(@Observes StartupEvent event, KeysState state) {
        Gauge.builder("quorumlock.security.keys", state, KeysState::keys)
                .description("Active API keys; 0 if authentication is off")
                .register(registry);
        Gauge.builder("quorumlock.security.keys.stale", state, keys -> keys.isStale() ? 1 : 0)
                .description("1 if the changed keys file is invalid, so that older keys stay active")
                .register(registry);
        reloads(state, "loaded", KeysState::reloads);
        reloads(state, "refused", KeysState::refusedReloads);
    }

    private void reloads(KeysState state, String outcome, ToDoubleFunction<KeysState> count) {
        FunctionCounter.builder("quorumlock.security.reloads", state, count)
                .description("Reloads of the keys file")
                .tag("outcome", outcome)
                .register(registry);
    }

    @Override
    public void refused(RefusalReason reason) {
        counter(reason).increment();
    }

    private Counter counter(RefusalReason reason) {
        return refusals.withTag("reason", reason.name().toLowerCase(Locale.ROOT));
    }
}
