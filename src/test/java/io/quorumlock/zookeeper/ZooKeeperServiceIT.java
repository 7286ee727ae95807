// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.zookeeper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.consensus.ConsensusServiceContract;
import io.quorumlock.testing.ServiceProcess;
import io.quorumlock.testing.TestStore;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ZooKeeperServiceIT extends ConsensusServiceContract {
    private static final Duration MOST = Duration.ofSeconds(60);

    @Override
    protected Map<String, String> environment() {
        return TestStore.ZOOKEEPER.settings();
    }

    @Test
    void rejectsStartWithoutServers() {
        assertStartFails(
                Map.of("QUORUMLOCK_ENGINE", "zookeeper"),
                "QUORUMLOCK_ZOOKEEPER_SERVERS: not set; write the servers of your ensemble");
    }

    @Test
    void startsServersForATrial() {
        try (ServiceProcess trial =
                ServiceProcess.startReady(Map.of("QUORUMLOCK_ENGINE", "zookeeper", "QUORUMLOCK_EMBEDDED", "true"))) {
            assertEquals(201, trial.client().acquire("tried", 10_000).status());
            assertFalse(trial.output().contains("NO_LEADER"), trial::output);
        }
    }

    @Test
    void rejectsUnknownEngine() {
        assertStartFails(Map.of("QUORUMLOCK_ENGINE", "paxos"), "QUORUMLOCK_ENGINE=paxos: ");
    }

    private static void assertStartFails(Map<String, String> environment, String reason) {
        try (ServiceProcess service = ServiceProcess.start(environment)) {
            assertEquals(1, service.exitCode(MOST));
            assertTrue(service.output().contains(reason), service::output);
        }
    }
}
