// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.RedisServer;
import io.quorumlock.testing.RedisServers;
import io.quorumlock.testing.ServiceProcess;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** S1 and S3 while replicas of the previous version are updated one by one, and rolled back, under load. */
@Tag("nightly")
@Order(1)
class RollingUpdateIT {

    @Test
    void updateAndRollbackKeepLeases() {
        Path previous = PreviousVersion.jar();
        List<RedisServer> masters = RedisServers.start(5, Persistence.options());
        try (UpdatedReplica one = new UpdatedReplica(previous, masters);
                UpdatedReplica two = new UpdatedReplica(previous, masters);
                UpdateLoad load = new UpdateLoad(List.of(one, two))) {
            load.untilEnough();
            two.replace(ServiceProcess.JAR);
            load.untilEnoughOnBothVersions();
            // Both versions must recognise the master by the marker that either of them wrote.
            masters.get(0).restart();
            Eventually.holds(one::output, () -> one.nodesUp() == 5);
            Eventually.holds(two::output, () -> two.nodesUp() == 5);
            load.untilEnoughOnBothVersions();
            one.replace(ServiceProcess.JAR);
            two.replace(previous);
            load.untilEnoughOnBothVersions();
            one.replace(previous);
            load.untilEnough();
            load.check();
            System.out.println("rolling update: " + load.counts());
        } finally {
            RedisServers.close(masters);
        }
    }
}
