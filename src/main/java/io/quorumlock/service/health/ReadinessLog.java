// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.service.health;

import io.smallrye.health.event.SmallRyeHealthStatusChangeEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.health.Readiness;
import org.jboss.logging.Logger;

/** Logs changes of the readiness that a probe sees. The framework would log the whole answer of each probe. */
@Singleton
final class ReadinessLog {
    private static final Logger LOG = Logger.getLogger(ReadinessLog.class);

    void changed(@Observes @Readiness SmallRyeHealthStatusChangeEvent change) {
        if (change.health().isDown()) {
            LOG.warn("not ready: /q/health/ready has the reason");
        } else {
            LOG.info("ready");
        }
    }
}
