package io.quorumlock.health;

import io.quorumlock.lock.Fleet;
import io.quorumlock.lock.NodeStatus;
import jakarta.inject.Singleton;
import java.util.List;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;
import org.eclipse.microprofile.health.Readiness;

/** Is ready while a majority of the configured nodes is up, by what the links know. */
@Readiness
@Singleton
final class QuorumReadiness implements HealthCheck {
    private final Fleet fleet;
    private final ReadinessRule rule;

    QuorumReadiness(Fleet fleet, ReadinessRule rule) {
        this.fleet = fleet;
        this.rule = rule;
    }

    @Override
    public HealthCheckResponse call() {
        List<NodeStatus> nodes = fleet.nodes();
        int up = fleet.up();
        HealthCheckResponseBuilder response = HealthCheckResponse.named("quorum")
                .status(fleet.hasQuorum() || !rule.requiresQuorum())
                .withData("up", up)
                .withData("required", fleet.quorum())
                .withData("total", nodes.size())
                .withData("tolerance", Math.max(0, up - fleet.quorum()))
                .withData("degraded", up < nodes.size());
        for (NodeStatus node : nodes) {
            if (!node.up()) {
                response.withData(
                        node.alias(),
                        node.problem().map(Enum::name).orElse("down").toLowerCase(java.util.Locale.ROOT));
            }
        }
        return response.build();
    }
}
