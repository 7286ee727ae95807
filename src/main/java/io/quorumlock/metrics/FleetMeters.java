package io.quorumlock.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.StartupEvent;
import io.quorumlock.lock.Fleet;
import io.quorumlock.lock.NodeStatus;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Shows the state of the fleet as gauges. */
@Singleton
final class FleetMeters {
    private static final double NANOS_PER_SECOND = 1e9;

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
            node(alias, "up", "Whether the node votes", () -> status(place).up() ? 1 : 0);
            node(
                    alias,
                    "quarantine.seconds",
                    "How long the node will yet give no vote",
                    () -> seconds(status(place).quarantine()));
            node(
                    alias,
                    "clock.offset.seconds",
                    "The node's wall clock less this replica's",
                    () -> seconds(status(place).clockOffset()));
        }
    }

    private NodeStatus status(int place) {
        return fleet.nodes().get(place);
    }

    private static double seconds(Optional<Duration> duration) {
        return duration.map(Duration::toNanos).orElse(0L) / NANOS_PER_SECOND;
    }

    private void node(String alias, String name, String description, Supplier<Number> value) {
        Gauge.builder("quorumlock.node." + name, value)
                .description(description)
                .tag("node", alias)
                .register(registry);
    }

    private void gauge(String name, String description, ToDoubleFunction<Fleet> value) {
        Gauge.builder(name, fleet, value).description(description).register(registry);
    }
}
