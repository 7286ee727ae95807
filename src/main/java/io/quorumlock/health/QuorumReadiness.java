// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.health;

import io.quorumlock.lock.Fleet;
import io.quorumlock.lock.NodeStatus;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Locale;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;
import org.eclipse.microprofile.health.Readiness;

/** The readiness check: up while a majority of the masters is connected. Does not send commands to Redis. */
@Readiness
@Singleton
final class QuorumReadiness implements HealthCheck {
    private final Fleet fleet;
    private final boolean requiresQuorum;

    /** @param requiresQuorum false for a sidecar, which must not make its pod unready */
    QuorumReadiness(
            Fleet fleet, @ConfigProperty(name = "quorumlock.health.readiness-requires-quorum") boolean requiresQuorum) {
        this.fleet = fleet;
        this.requiresQuorum = requiresQuorum;
    }

    @Override
    public HealthCheckResponse call() {
        List<NodeStatus> nodes = fleet.nodes();
        int up = fleet.up();
        HealthCheckResponseBuilder response = HealthCheckResponse.named("quorum")
                .status(fleet.hasQuorum() || !requiresQuorum)
                .withData("up", up)
                .withData("required", fleet.quorum())
                .withData("total", nodes.size())
                .withData("tolerance", Math.max(0, up - fleet.quorum()))
                .withData("degraded", up < nodes.size());
        for (NodeStatus node : nodes) {
            if (!node.up()) {
                response.withData(node.alias(), reason(node));
            }
        }
        return response.build();
    }

    private static String reason(NodeStatus node) {
        String problem = node.problem().map(Enum::name).orElse("down").toLowerCase(Locale.ROOT);
        return node.quarantine()
                .map(left -> problem + " for " + left.toSeconds() + " s: "
                        + node.detail().orElse(""))
                .orElse(problem);
    }
}
