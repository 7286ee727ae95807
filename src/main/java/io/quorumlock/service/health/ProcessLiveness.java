// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.service.health;

import jakarta.inject.Singleton;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Liveness;

/** The liveness check: up whenever the process answers. It ignores masters, because a restart would not repair them. */
@Liveness
@Singleton
final class ProcessLiveness implements HealthCheck {
    @Override
    public HealthCheckResponse call() {
        return HealthCheckResponse.up("process");
    }
}
