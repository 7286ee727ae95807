// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.service.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.StartupEvent;
import io.quorumlock.core.fleet.ServerGauge;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.List;

/** The gauges of the server of the store in this process. */
@Singleton
final class MemberMeters {
    private final MeterRegistry registry;
    private final List<ServerGauge> gauges;

    MemberMeters(MeterRegistry registry, List<ServerGauge> gauges) {
        this.registry = registry;
        this.gauges = gauges;
    }

    void onStart(@Observes StartupEvent event) {
        gauges.forEach(gauge -> Gauge.builder("quorumlock.member." + gauge.name(), gauge.value())
                .description(gauge.description())
                .register(registry));
    }
}
