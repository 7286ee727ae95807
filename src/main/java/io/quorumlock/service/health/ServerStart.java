// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.service.health;

import io.quarkus.runtime.Application;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Startup;

/**
 * The startup check: down until all ports are open. The port without TLS, which serves the probes, opens up to a
 * second before the port with TLS, and Kubernetes must not send requests to a port that refuses connections.
 */
@Startup
@Singleton
final class ServerStart implements HealthCheck {
    @Override
    public HealthCheckResponse call() {
        return HealthCheckResponse.named("server").status(isComplete()).build();
    }

    static boolean isComplete() {
        Application application = Application.currentApplication();
        return application != null && application.isStarted();
    }
}
