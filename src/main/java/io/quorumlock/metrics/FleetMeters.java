package io.quorumlock.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.StartupEvent;
import io.quorumlock.lock.Fleet;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Shows the state of the fleet as gauges. */
@Singleton
final class FleetMeters {
    private final MeterRegistry registry;
    private final Fleet fleet;
    private final NodeMeters nodes;
    private final String version;

    FleetMeters(
            MeterRegistry registry,
            Fleet fleet,
            NodeMeters nodes,
            @ConfigProperty(name = "quarkus.application.version") String version) {
        this.registry = registry;
        this.fleet = fleet;
        this.nodes = nodes;
        this.version = version;
    }

    void onStart(@Observes StartupEvent event) {
        gauge("quorumlock.nodes.up", "Nodes that vote", Fleet::up);
        gauge("quorumlock.nodes.configured", "Nodes configured", all -> all.nodes()
                .size());
        gauge("quorumlock.quorum", "Votes that a lease needs", Fleet::quorum);
        gauge(
                "quorumlock.failure.tolerance",
                "Nodes that may still fail without harm",
                all -> Math.max(0, all.up() - all.quorum()));
        Gauge.builder("quorumlock.info", () -> 1)
                .description("The version that runs")
                .tag("version", version)
                .register(registry);
        for (int i = 0; i < fleet.nodes().size(); i++) {
            int place = i;
            String alias = fleet.nodes().get(i).alias();
            nodes.expect(alias);
            Gauge.builder("quorumlock.node.up", () -> fleet.nodes().get(place).up() ? 1 : 0)
                    .description("Whether the node votes")
                    .tag("node", alias)
                    .register(registry);
        }
    }

    private void gauge(String name, String description, java.util.function.ToDoubleFunction<Fleet> value) {
        Gauge.builder(name, fleet, value).description(description).register(registry);
    }
}
