// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.zookeeper;

import io.quorumlock.core.lock.LockEngineContract;
import io.quorumlock.testing.EngineFixture;
import io.quorumlock.testing.SharedZooKeeper;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

@Tag("nightly")
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(SharedZooKeeper.NAME)
class ZooKeeperEngineContractTest extends LockEngineContract {
    @Override
    protected EngineFixture fixture() {
        return TestStores.ENGINES;
    }
}
