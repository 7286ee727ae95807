// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.quorumlock.lock.NodeFailure;
import io.quorumlock.lock.NodeListener;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** The meters of each master. */
@Singleton
final class NodeMeters implements NodeListener {
    /** The commands whose series exist before their first use. */
    private static final List<String> COMMANDS =
            List.of("acquire", "extend", "raise", "release", "inspect", "scan", "listeners", "time");

    /** A cache, because each command needs a timer, and a lookup in the registry takes several times as long. */
    private final Map<NodeCommand, Timer> timers = new ConcurrentHashMap<>();

    private final MeterProvider<Timer> commands;
    private final MeterProvider<Counter> failures;
    private final MeterProvider<Counter> restarts;

    private record NodeCommand(String node, String command) {}

    NodeMeters(MeterRegistry registry) {
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

    /** Registers the series of a master before its first command, so that rates include it. */
    void expect(String node) {
        COMMANDS.forEach(command -> timer(node, command));
        Stream.of(NodeFailure.values()).forEach(reason -> counter(node, reason));
        restarts.withTag("node", node);
    }

    @Override
    public void answered(String node, String command, Duration elapsed) {
        timer(node, command).record(elapsed);
    }

    @Override
    public void failed(String node, NodeFailure reason) {
        counter(node, reason).increment();
    }

    @Override
    public void restarted(String node) {
        restarts.withTag("node", node).increment();
    }

    private Timer timer(String node, String command) {
        return timers.computeIfAbsent(
                new NodeCommand(node, command), key -> commands.withTags("node", node, "command", command));
    }

    private Counter counter(String node, NodeFailure reason) {
        return failures.withTags("node", node, "reason", reason.name().toLowerCase(Locale.ROOT));
    }
}
