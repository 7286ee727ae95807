package io.quorumlock.config;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.prometheus.client.exemplars.ExemplarSampler;
import io.quorumlock.lock.LockDirectory;
import io.quorumlock.lock.LockEngine;
import io.quorumlock.redlock.LockNode;
import io.quorumlock.time.EngineContext;
import io.quorumlock.tracing.Tracing;
import jakarta.annotation.Priority;
import jakarta.enterprise.inject.Alternative;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Adds the engine's spans to the OpenTelemetry extension, if that is enabled (ADR 22). */
@Singleton
final class TracingWiring {
    private final boolean enabled;
    private final boolean resourceNames;

    TracingWiring(QuorumlockConfig config, @ConfigProperty(name = "quarkus.otel.sdk.disabled") boolean disabled) {
        this.enabled = !disabled;
        this.resourceNames = config.tracing().resourceNames();
    }

    /** Holds what traces, if anything does. */
    record Traces(Optional<Tracing> tracing) {
        EngineContext follow(EngineContext bare) {
            return tracing.map(on -> on.propagate(bare)).orElse(bare);
        }

        List<LockNode> votes(List<LockNode> nodes) {
            return tracing.map(on -> on.votes(nodes)).orElse(nodes);
        }

        LockEngine rounds(LockEngine algorithm) {
            return tracing.map(on -> on.rounds(algorithm)).orElse(algorithm);
        }

        LockEngine waits(LockEngine room) {
            return tracing.map(on -> on.waits(room)).orElse(room);
        }

        LockDirectory rounds(LockDirectory directory) {
            return tracing.map(on -> on.rounds(directory)).orElse(directory);
        }
    }

    @Produces
    @Singleton
    Traces traces(OpenTelemetry telemetry) {
        return new Traces(
                enabled
                        ? Optional.of(new Tracing(telemetry.getTracer("io.quorumlock"), resourceNames))
                        : Optional.empty());
    }

    /** Is where the rooms live through which requests go: the links to the nodes serve many at once, and follow none. */
    record Followed(EngineContext engineContext) {}

    @Produces
    @Singleton
    Followed followed(EngineContext bare, Traces traces) {
        return new Followed(traces.follow(bare));
    }

    @Produces
    @Singleton
    SpanProcessor requestSpans() {
        return Tracing.requestSpans(resourceNames);
    }

    /** Replaces the sampler of the extension. */
    @Produces
    @Alternative
    @Priority(1)
    Optional<ExemplarSampler> exemplars() {
        return enabled ? Optional.of(Tracing.exemplars()) : Optional.empty();
    }
}
