// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.service.health;

import io.quorumlock.core.fleet.Fleet;
import io.quorumlock.core.fleet.ServerFailure;
import io.quorumlock.core.fleet.ServerStatus;
import jakarta.inject.Singleton;
import java.util.List;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;
import org.eclipse.microprofile.health.Readiness;

/** The readiness check: up after the start while a majority votes. Calls neither masters nor a store. */
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
        List<ServerStatus> masters = fleet.servers();
        int up = fleet.up();
        HealthCheckResponseBuilder response = HealthCheckResponse.named("quorum")
                .status(ServerStart.isComplete() && (fleet.hasQuorum() || !requiresQuorum))
                .withData("up", up)
                .withData("required", fleet.quorum())
                .withData("total", masters.size())
                .withData("tolerance", fleet.tolerance(up))
                .withData("degraded", up < masters.size());
        for (ServerStatus master : masters) {
            if (!master.up()) {
                response.withData(master.alias(), reason(master));
            }
        }
        return response.build();
    }

    private static String reason(ServerStatus master) {
        String problem = master.problem().orElseThrow().label();
        if (master.has(ServerFailure.SLOW)) {
            return problem + ": " + master.detail().orElseThrow();
        }
        return master.quarantine()
                .map(left -> problem + " for " + left.toSeconds() + " s: "
                        + master.detail().orElse(""))
                .orElse(problem);
    }
}
