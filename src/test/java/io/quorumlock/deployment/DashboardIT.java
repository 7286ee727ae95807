// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.deployment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.quorumlock.documentation.Shell;
import io.quorumlock.testing.Background;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.LockClient;
import io.quorumlock.testing.RedisServer;
import io.quorumlock.testing.RedisServers;
import io.quorumlock.testing.ServiceProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The dashboard on a replica under load. Every panel has data. */
@Tag("tools")
class DashboardIT {
    private static final Duration MOST = Duration.ofSeconds(60);
    private static final int TTL_MS = 2_000;

    @TempDir
    Path folder;

    @Test
    void everyPanelHasData() {
        assumeTrue(Shell.has("prometheus"), "prometheus is not installed; Debian's package prometheus has it");
        List<RedisServer> masters = RedisServers.start(5);
        AtomicBoolean over = new AtomicBoolean();
        Map<String, String> settings = Map.of(
                "QUORUMLOCK_NODES",
                ServiceProcess.nodes(masters),
                "QUORUMLOCK_TTL_MAX",
                "1h",
                "QUORUMLOCK_TERRAFORM_ENABLED",
                "true");
        try (ServiceProcess service = ServiceProcess.startReady(settings);
                Prometheus prometheus = new Prometheus(service.uri(), folder)) {
            masters.get(4).suspend();
            CompletableFuture<Void> load = Background.run(() -> work(service.client(), over));
            List<Query> panels = Monitoring.panelQueries();
            assertTrue(panels.size() > 25, () -> "only " + panels.size());
            Eventually.within(
                    MOST, () -> "no data: " + withoutData(panels, prometheus), () -> withoutData(panels, prometheus)
                            .isEmpty());
            over.set(true);
            load.join();
        } finally {
            masters.get(4).resume();
            RedisServers.close(masters);
        }
    }

    private static List<Query> withoutData(List<Query> panels, Prometheus prometheus) {
        return panels.stream().filter(panel -> !prometheus.answers(panel)).toList();
    }

    /** Produces data for all panels. */
    private static void work(LockClient client, AtomicBoolean over) {
        while (!over.get()) {
            String token = client.acquire("seen", TTL_MS).token();
            client.extend("seen", token);
            CompletableFuture<LockClient.Answer> waits =
                    Background.supply(() -> client.acquire("seen", TTL_MS, TTL_MS));
            assertEquals(204, client.release("seen", token).status());
            assertEquals(201, waits.join().status());
            assertEquals(204, client.force("seen", "look", "r").status());
            client.post("/terraform/seen", new byte[0]);
        }
    }
}
