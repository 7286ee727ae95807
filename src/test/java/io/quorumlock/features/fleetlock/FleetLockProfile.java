// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.fleetlock;

import io.quarkus.test.junit.QuarkusTestProfile;
import java.util.Map;

/** Runs the service with FleetLock: with one slot for each group, and two for the group "workers". */
public final class FleetLockProfile implements QuarkusTestProfile {
    @Override
    public Map<String, String> getConfigOverrides() {
        return Map.of(
                "quorumlock.fleetlock.enabled", "true",
                "quorumlock.fleetlock.ttl", "20s",
                "quorumlock.fleetlock.groups", "workers:2,databases:1");
    }
}
