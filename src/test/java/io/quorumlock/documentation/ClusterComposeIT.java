// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.documentation;

import static org.junit.jupiter.api.Assertions.assertEquals;
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
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The image and docker-compose.cluster.yml. */
@Tag("docker")
@ResourceLock(Compose.ENGINE)
class ClusterComposeIT {
    private static final Duration LONG = Duration.ofMinutes(4);

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
            compose.run("up", "-d"); // builds an image only if there is none
            ports.forEach(port -> awaitReady(compose, port));
            assertEquals(201, acquire(compose, ports.get(0), "kept"));
            assertEquals(423, acquire(compose, ports.get(2), "kept"));
            compose.run("kill", "quorumlock-1");
            assertEquals(201, acquire(compose, ports.get(1), "after-the-loss"));
            assertEquals(423, acquire(compose, ports.get(1), "kept"));
            compose.run("rm", "-f", "quorumlock-1");
            compose.run("up", "-d", "quorumlock-1");
            awaitReady(compose, ports.get(0));
            assertEquals(423, acquire(compose, ports.get(0), "kept"));
        }
    }

    /** Repeats a call while the members elect a leader. */
    private static int acquire(Compose compose, int port, String lock) {
        AtomicInteger status = new AtomicInteger();
        Eventually.within(LONG, compose::logs, () -> {
            status.set(client(port).acquire(lock, 600_000).status());
            return status.get() != 503;
        });
        return status.get();
    }

    private static LockClient client(int port) {
        return new LockClient(URI.create("http://127.0.0.1:" + port));
    }

    private static void awaitReady(Compose compose, int port) {
        Eventually.within(LONG, compose::logs, () -> client(port).isReady());
    }
}
