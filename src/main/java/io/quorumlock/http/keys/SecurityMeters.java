// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http.keys;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Singleton;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** The meters of authentication and of the keys file. Labels contain neither keys nor addresses. */
@Singleton
public final class SecurityMeters {
    private final MeterProvider<Counter> refusals;

    public SecurityMeters(MeterRegistry registry, Authenticator authenticator) {
        refusals = Counter.builder("quorumlock.security.refusals")
                .description("Requests rejected by authentication, authorization or quota")
                .withRegistry(registry);
        // Registers all series before the first event, so that rates include it.
        Stream.of(RefusalReason.values()).forEach(this::counter);
        Gauge.builder("quorumlock.security.keys", authenticator, ifOn(KeyStore::keys))
                .description("Active API keys; 0 if authentication is off")
                .register(registry);
        Gauge.builder("quorumlock.security.keys.stale", authenticator, ifOn(keys -> keys.isStale() ? 1 : 0))
                .description("1 if the changed keys file is invalid, so that older keys stay active")
                .register(registry);
        reloads(registry, authenticator, "loaded", KeyStore::reloads);
        reloads(registry, authenticator, "refused", KeyStore::refusedReloads);
    }

    private static void reloads(
            MeterRegistry registry, Authenticator authenticator, String outcome, ToDoubleFunction<KeyStore> count) {
        FunctionCounter.builder("quorumlock.security.reloads", authenticator, ifOn(count))
                .description("Reloads of the keys file")
                .tag("outcome", outcome)
                .register(registry);
    }

    private static ToDoubleFunction<Authenticator> ifOn(ToDoubleFunction<KeyStore> value) {
        return authenticator -> authenticator.store().map(value::applyAsDouble).orElse(0.0);
    }

    public void refused(RefusalReason reason) {
        counter(reason).increment();
    }

    private Counter counter(RefusalReason reason) {
        return refusals.withTag("reason", reason.name().toLowerCase(Locale.ROOT));
    }
}
