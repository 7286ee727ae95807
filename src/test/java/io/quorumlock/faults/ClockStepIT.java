// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.LockClient;
import io.quorumlock.testing.ServiceProcess;
import io.quorumlock.testing.StubRedis;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Clock steps of masters, as shown to operators in masters, readiness, metrics and log. */
class ClockStepIT {
    private static final String NODE = "{node=\"node-1\"} ";

    @Test
    void reportsMasterWithSteppedClock() {
        try (StubRedis redis = new StubRedis()
                        .answering(StubRedis.admitted(0))
                        .answeringTo("stepped", StubRedis.admitted(60_000));
                ServiceProcess service = ServiceProcess.startReady(Map.of(
                        "QUORUMLOCK_NODES", redis.url().toString(), "QUORUMLOCK_RESTART_GUARD_ENABLED", "true"))) {
            LockClient client = service.client();
            Eventually.holds(service::output, () -> node(client).has("clockOffsetMs"));
            assertEquals(0, metric(client, "quorumlock_node_quarantine_seconds"));
            redis.stepClock(Duration.ofHours(1));
            redis.answering(StubRedis.admitted(60_000));
            Eventually.holds(
                    service::output,
                    () -> node(client).has("quarantineMs")
                            && service.output().contains("master clock stepped node=node-1"));
            assertReported(service, client);
        }
    }

    private static void assertReported(ServiceProcess service, LockClient client) {
        assertEquals("quarantined", node(client).path("problem").asText());
        assertTrue(node(client).path("detail").asText().contains("wall clock"), node(client)::toString);
        assertFalse(client.isReady());
        assertEquals(0, metric(client, "quorumlock_node_up"));
        assertTrue(metric(client, "quorumlock_node_quarantine_seconds") > 0);
        assertTrue(metric(client, "quorumlock_node_clock_offset_seconds") > 3_500);
        assertTrue(service.output().contains("master clock stepped node=node-1"), service::output);
    }

    private static JsonNode node(LockClient client) {
        return client.get("/nodes").body().path("nodes").get(0);
    }

    private static double metric(LockClient client, String name) {
        return client.get("/q/metrics")
                .response()
                .body()
                .lines()
                .filter(line -> line.startsWith(name + NODE))
                .mapToDouble(line -> Double.parseDouble(line.substring((name + NODE).length())))
                .findFirst()
                .orElseThrow();
    }
}
