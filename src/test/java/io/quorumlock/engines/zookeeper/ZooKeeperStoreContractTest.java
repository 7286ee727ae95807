// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.zookeeper;

import io.quorumlock.engines.consensus.RecordStoreContract;
import io.quorumlock.testing.SharedZooKeeper;
import io.quorumlock.testing.StoreFixture;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The contract of stores on a real server. */
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(SharedZooKeeper.NAME)
class ZooKeeperStoreContractTest extends RecordStoreContract {
    @Override
    protected StoreFixture fixture() {
        return TestStores.store();
    }
}
