// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.quorumlock.lock.NodeFailure;
import io.quorumlock.lock.NodeListener;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The meters of each master. */
@Singleton
final class NodeMeters implements NodeListener {
    /** The commands whose series exist before their first use. */
    private static final List<String> COMMANDS =
            List.of("acquire", "extend", "raise", "release", "inspect", "scan", "listeners", "time");

    private final MeterRegistry registry;
    private final Map<String, OneNode> nodes = new ConcurrentHashMap<>();

    NodeMeters(MeterRegistry registry) {
        this.registry = registry;
    }

    /** Registers the series of a master before its first command. */
    void expect(String node) {
        nodes.computeIfAbsent(node, OneNode::new);
    }

    @Override
    public void answered(String node, String command, Duration elapsed) {
        nodes.computeIfAbsent(node, OneNode::new).command(command).record(elapsed);
    }

    @Override
    public void failed(String node, NodeFailure reason) {
        nodes.computeIfAbsent(node, OneNode::new).failures.get(reason).increment();
    }

    @Override
    public void restarted(String node) {
        nodes.computeIfAbsent(node, OneNode::new).restarts.increment();
    }

    private final class OneNode {
        private final String alias;
        private final Map<NodeFailure, Counter> failures = new EnumMap<>(NodeFailure.class);
        private final Map<String, Timer> commands = new ConcurrentHashMap<>();
        private final Counter restarts;

        OneNode(String alias) {
            this.alias = alias;
            for (NodeFailure reason : NodeFailure.values()) {
                failures.put(
                        reason,
                        Counter.builder("quorumlock.node.failures")
                                .description("Commands without a vote, by reason")
                                .tag("node", alias)
                                .tag("reason", reason.name().toLowerCase(Locale.ROOT))
                                .register(registry));
            }
            COMMANDS.forEach(this::command);
            restarts = Counter.builder("quorumlock.node.restarts")
                    .description("Restarts of the master")
                    .tag("node", alias)
                    .register(registry);
        }

        Timer command(String name) {
            Timer timer = commands.get(name);
            return timer != null ? timer : commands.computeIfAbsent(name, this::register);
        }

        private Timer register(String name) {
            return Timer.builder("quorumlock.node.command")
                    .description("Duration of commands to the master, queueing included")
                    .tag("node", alias)
                    .tag("command", name)
                    .register(registry);
        }
    }
}
