// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.fleetlock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.testing.LockClient.Answer;
import io.quorumlock.testing.RedisServer;
import io.quorumlock.testing.RedisServers;
import io.quorumlock.testing.ServiceProcess;
import io.quorumlock.testing.TestStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Reboots of machines that ask two replicas of the packaged service, on each engine. */
@Tag("nightly")
class FleetLockIT {
    private static final String GROUP = "default";

    /** Without persistence, the longest TTL must be set. */
    @Test
    void machinesTakeTurnsOnMasters() {
        List<RedisServer> masters = RedisServers.start(5);
        try {
            Map<String, String> settings =
                    Map.of("QUORUMLOCK_NODES", ServiceProcess.nodes(masters), "QUORUMLOCK_TTL_MAX", "1h");
            withReplicas(settings, (one, two) -> {
                takeTurns(one, two);
                masters.subList(0, 3).forEach(RedisServer::kill);
                for (Answer answer : List.of(one.preReboot(GROUP, "a"), two.steadyState(GROUP, "a"))) {
                    assertEquals(503, answer.status(), answer.body()::toString);
                    assertEquals("no_quorum", answer.body().get("kind").asText());
                }
            });
        } finally {
            RedisServers.close(masters);
        }
    }

    @ParameterizedTest
    @EnumSource
    void machinesTakeTurnsOnStore(TestStore store) {
        withReplicas(store.settings(), FleetLockIT::takeTurns);
    }

    private static void takeTurns(FleetLockClient one, FleetLockClient two) {
        two.giveBack(GROUP, "a");
        one.take(GROUP, "a");
        Answer full = two.preReboot(GROUP, "b");
        assertEquals(409, full.status());
        assertEquals("failed_lock", full.body().get("kind").asText());
        String value = full.body().get("value").asText();
        assertTrue(value.contains("Slots: 1. Held by: a 20"), value);
        two.take(GROUP, "a");
        one.giveBack(GROUP, "b");
        assertEquals(409, one.preReboot(GROUP, "b").status());
        two.giveBack(GROUP, "a");
        one.giveBack(GROUP, "a");
        one.take(GROUP, "b");
        two.giveBack(GROUP, "b");
    }

    /** Something that machines do with two replicas. */
    private interface Scenario {
        void run(FleetLockClient one, FleetLockClient two);
    }

    private static void withReplicas(Map<String, String> settings, Scenario scenario) {
        Map<String, String> enabled = new HashMap<>(settings);
        enabled.put("QUORUMLOCK_FLEETLOCK_ENABLED", "true");
        try (ServiceProcess one = ServiceProcess.startReady(enabled);
                ServiceProcess two = ServiceProcess.startReady(enabled)) {
            scenario.run(FleetLockClient.at(one.uri()), FleetLockClient.at(two.uri()));
        }
    }
}
