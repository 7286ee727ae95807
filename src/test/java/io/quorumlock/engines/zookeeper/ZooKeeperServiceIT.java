// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.zookeeper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.engines.consensus.ConsensusServiceContract;
import io.quorumlock.testing.RealLoop;
import io.quorumlock.testing.ServiceProcess;
import io.quorumlock.testing.SharedZooKeeper;
import io.quorumlock.testing.TestStore;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.ZKUtil;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ZooKeeperServiceIT extends ConsensusServiceContract {

    @Override
    protected Map<String, String> environment() {
        return TestStore.ZOOKEEPER.settings();
    }

    @Override
    protected String written(Map<String, String> environment) throws Exception {
        CompletableFuture<Void> connected = new CompletableFuture<>();
        ZooKeeper client = new ZooKeeper(SharedZooKeeper.SERVER.address(), 20_000, event -> connected.complete(null));
        RealLoop.await(connected);
        String root = environment.get("QUORUMLOCK_ZOOKEEPER_ROOT");
        StringBuilder written = new StringBuilder();
        if (client.exists(root, false) != null) {
            for (String path : ZKUtil.listSubTreeBFS(client, root)) {
                written.append(path).append(' ').append(client.exists(path, false));
            }
        }
        client.close();
        return written.toString();
    }

    @Test
    void rejectsStartWithoutServers() {
        assertStartFails(
                Map.of("QUORUMLOCK_ENGINE", "zookeeper"),
                "QUORUMLOCK_ZOOKEEPER_SERVERS: not set; write the servers of your ensemble");
    }

    @Test
    @Tag("nightly")
    void startsServersForATrial() {
        try (ServiceProcess trial =
                ServiceProcess.startReady(Map.of("QUORUMLOCK_ENGINE", "zookeeper", "QUORUMLOCK_EMBEDDED", "true"))) {
            assertEquals(201, trial.client().acquire("tried", 10_000).status());
            assertFalse(trial.output().contains("no_leader"), trial::output);
        }
    }

    @Test
    @Tag("nightly")
    void rejectsUnknownEngine() {
        assertStartFails(Map.of("QUORUMLOCK_ENGINE", "paxos"), "QUORUMLOCK_ENGINE=paxos: ");
    }

    private static void assertStartFails(Map<String, String> environment, String reason) {
        try (ServiceProcess service = ServiceProcess.start(environment)) {
            assertEquals(1, service.exitCode());
            assertTrue(service.output().contains(reason), service::output);
        }
    }
}
