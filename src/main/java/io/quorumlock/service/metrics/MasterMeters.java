// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.service.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.quorumlock.core.fleet.ServerFailure;
import io.quorumlock.core.fleet.ServerListener;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** The meters of each master. */
@Singleton
final class MasterMeters implements ServerListener {
    /** A cache, because each command needs a timer, and a lookup in the registry takes several times as long. */
    private final Map<MasterCommand, Timer> timers = new ConcurrentHashMap<>();

    private final MeterProvider<Timer> commands;
    private final MeterProvider<Counter> failures;
    private final MeterProvider<Counter> restarts;

    private record MasterCommand(String master, String command) {}

    MasterMeters(MeterRegistry registry) {
        commands = Timer.builder("quorumlock.node.command")
                .description("Duration of commands to the master, queueing included")
                .withRegistry(registry);
        failures = Counter.builder("quorumlock.node.failures")
                .description("Commands without a vote, by reason")
                .withRegistry(registry);
        restarts = Counter.builder("quorumlock.node.restarts")
                .description("Restarts of the master")
                .withRegistry(registry);
    }

    /** Registers the series before the first command, so that rates include it. */
    @Override
    public void expects(String master, List<String> names) {
        names.forEach(command -> timer(master, command));
        Stream.of(ServerFailure.values()).forEach(reason -> counter(master, reason));
        restarts.withTag("node", master);
    }

    @Override
    public void answered(String master, String command, Duration elapsed) {
        timer(master, command).record(elapsed);
    }

    @Override
    public void failed(String master, ServerFailure reason) {
        counter(master, reason).increment();
    }

    @Override
    public void restarted(String master) {
        restarts.withTag("node", master).increment();
    }

    private Timer timer(String master, String command) {
        return timers.computeIfAbsent(
                new MasterCommand(master, command), key -> commands.withTags("node", master, "command", command));
    }

    private Counter counter(String master, ServerFailure reason) {
        return failures.withTags("node", master, "reason", reason.label());
    }
}
