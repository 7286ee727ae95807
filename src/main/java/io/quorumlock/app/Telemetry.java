// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.app;

import io.opentelemetry.sdk.trace.SpanProcessor;
import io.prometheus.client.exemplars.ExemplarSampler;
import io.quorumlock.settings.QuorumlockConfig;
import io.quorumlock.tracing.Tracing;
import jakarta.annotation.Priority;
import jakarta.enterprise.inject.Alternative;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.Optional;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Beans for the OpenTelemetry and Micrometer extensions of Quarkus. */
@Singleton
final class Telemetry {

    @Produces
    @Singleton
    static SpanProcessor requestSpans(QuorumlockConfig config) {
        return Tracing.requestSpans(config.tracing().resourceNames());
    }

    /** Replaces the sampler of the extension. */
    @Produces
    @Alternative
    @Priority(1)
    static Optional<ExemplarSampler> exemplars(
            @ConfigProperty(name = "quarkus.otel.sdk.disabled") boolean tracingDisabled) {
        return tracingDisabled ? Optional.empty() : Optional.of(Tracing.exemplars());
    }
}
