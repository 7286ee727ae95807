package io.quorumlock.config;

import io.prometheus.client.exemplars.ExemplarSampler;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.quorumlock.lock.LockDirectory;
import io.quorumlock.lock.LockEngine;
import io.quorumlock.redlock.LockNode;
import io.quorumlock.time.EngineContext;
import io.quorumlock.tracing.Replica;
import io.quorumlock.tracing.Tracing;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Alternative;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Builds what traces, where a collector is named. Where none is, everything is handed on as it came (ADR 21). */
@Singleton
final class TracingWiring {
    private final QuorumlockConfig.Tracing config;
    private final String version;

    TracingWiring(QuorumlockConfig config, @ConfigProperty(name = "quarkus.application.version") String version) {
        this.config = config.tracing();
        this.version = version;
    }

    /** Holds what traces, if anything does. */
    record Traces(Optional<Tracing> tracing) {
        EngineContext follow(EngineContext bare) {
            return tracing.map(on -> on.follow(bare)).orElse(bare);
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
    Traces traces() {
        return new Traces(ConfigCheck.collector(config)
                .map(collector -> Tracing.start(
                        new Tracing.Settings(collector, config.ratio(), config.resourceNames()),
                        new Replica(version, UUID.randomUUID().toString()),
                        EventLoop.clock())));
    }

    /** Is where the rooms live through which requests go: the links to the nodes serve many at once, and follow none. */
    record Followed(EngineContext engineContext) {}

    @Produces
    @Singleton
    Followed followed(EngineContext bare, Traces traces) {
        return new Followed(traces.follow(bare));
    }

    void close(@Disposes Traces traces) {
        traces.tracing().ifPresent(Tracing::close);
    }

    void listen(@Observes Filters filters, Traces traces) {
        traces.tracing().ifPresent(on -> on.listen(filters));
    }

    /** Takes the place of the framework's, which has none. */
    @Produces
    @Alternative
    @Priority(1)
    Optional<ExemplarSampler> exemplars(Traces traces) {
        return traces.tracing().map(Tracing::exemplars);
    }
}
