// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.service.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.StartupEvent;
import io.quorumlock.core.fleet.Fleet;
import io.quorumlock.core.fleet.ServerGauge;
import io.quorumlock.core.fleet.ServerStatus;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** The gauges of the fleet. */
@Singleton
final class FleetMeters {
    private static final double NANOS_PER_SECOND = 1e9;

    private final MeterRegistry registry;
    private final Fleet fleet;
    private final List<ServerGauge> own;
    private final String version;
    private final String revision;

    FleetMeters(
            MeterRegistry registry,
            Fleet fleet,
            List<ServerGauge> own,
            @ConfigProperty(name = "quarkus.application.version") String version,
            @ConfigProperty(name = "quorumlock-build.revision") String revision) {
        this.registry = registry;
        this.fleet = fleet;
        this.own = own;
        this.version = version;
        this.revision = revision;
    }

    void onStart(@Observes StartupEvent event) {
        gauge("quorumlock.available", "1 if this replica can grant locks, else 0", all -> all.hasQuorum() ? 1 : 0);
        gauge("quorumlock.nodes.up", "Masters that vote", Fleet::up);
        gauge("quorumlock.nodes.configured", "Configured masters", all -> all.servers()
                .size());
        gauge("quorumlock.quorum", "Votes required for a lease", Fleet::quorum);
        gauge(
                "quorumlock.failure.tolerance",
                "Masters that may still fail without loss of quorum",
                all -> all.tolerance(all.up()));
        Gauge.builder("quorumlock.info", () -> 1)
                .description("Version of the service, and commit of its build")
                .tag("version", version)
                .tag("revision", revision)
                .register(registry);
        own.forEach(gauge -> Gauge.builder("quorumlock.store." + gauge.name(), gauge.value())
                .description(gauge.description())
                .register(registry));
        for (int i = 0; i < fleet.servers().size(); i++) {
            int place = i;
            String alias = fleet.servers().get(i).alias();
            master(
                    alias,
                    "up",
                    "1 if the master votes, else 0",
                    () -> status(place).up() ? 1 : 0);
            master(
                    alias,
                    "quarantine.seconds",
                    "Remaining quarantine",
                    () -> seconds(status(place).quarantine()));
            master(
                    alias,
                    "clock.offset.seconds",
                    "Wall clock of the master minus that of this replica",
                    () -> seconds(status(place).clockOffset()));
        }
    }

    private ServerStatus status(int place) {
        return fleet.servers().get(place);
    }

    private static double seconds(Optional<Duration> duration) {
        return duration.map(Duration::toNanos).orElse(0L) / NANOS_PER_SECOND;
    }

    private void master(String alias, String name, String description, Supplier<Number> value) {
        Gauge.builder("quorumlock.node." + name, value)
                .description(description)
                .tag("node", alias)
                .register(registry);
    }

    private void gauge(String name, String description, ToDoubleFunction<Fleet> value) {
        Gauge.builder(name, fleet, value).description(description).register(registry);
    }
}
