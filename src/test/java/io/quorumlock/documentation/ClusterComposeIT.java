// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.documentation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.quorumlock.embedded.FreePorts;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.LockClient;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The image and docker-compose.cluster.yml. */
@Tag("docker")
class ClusterComposeIT {
    private static final Duration LONG = Duration.ofSeconds(90);

    private final List<Integer> ports = FreePorts.find(3);

    @Test
    void goesOnWithoutOneOfThreeMembers() {
        Optional<Compose> found = Compose.find(
                "quorumlock-cluster-" + ProcessHandle.current().pid(),
                Map.of(
                        "QUORUMLOCK_PORT", Integer.toString(ports.get(0)),
                        "QUORUMLOCK_PORT_2", Integer.toString(ports.get(1)),
                        "QUORUMLOCK_PORT_3", Integer.toString(ports.get(2)),
                        "QUORUMLOCK_CLUSTER_FOUNDED",
                                Long.toString(Instant.now().getEpochSecond())),
                "docker-compose.cluster.yml");
        assumeTrue(found.isPresent(), "no Docker engine answers, or Docker Compose is not installed");
        try (Compose compose = found.get()) {
            compose.run("up", "-d", "--build");
            ports.forEach(port -> awaitReady(compose, port));
            assertEquals(201, client(ports.get(0)).acquire("kept", 600_000).status());
            assertEquals(423, client(ports.get(2)).acquire("kept", 600_000).status());
            compose.run("kill", "quorumlock-1");
            LockClient other = client(ports.get(1));
            Eventually.within(
                    LONG,
                    compose::logs,
                    () -> other.acquire("after-the-loss", 600_000).status() == 201);
            assertEquals(423, other.acquire("kept", 600_000).status());
            compose.run("rm", "-f", "quorumlock-1");
            compose.run("up", "-d", "quorumlock-1");
            awaitReady(compose, ports.get(0));
            assertEquals(423, client(ports.get(0)).acquire("kept", 600_000).status());
            assertTrue(compose.logs().contains("cluster member=1"), compose::logs);
        }
    }

    private static LockClient client(int port) {
        return new LockClient(URI.create("http://127.0.0.1:" + port));
    }

    private static void awaitReady(Compose compose, int port) {
        Eventually.within(LONG, compose::logs, () -> client(port).isReady());
    }
}
