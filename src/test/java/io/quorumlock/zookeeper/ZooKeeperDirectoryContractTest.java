// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.zookeeper;

import io.quorumlock.lock.LockDirectoryContract;
import io.quorumlock.testing.EngineFixture;

class ZooKeeperDirectoryContractTest extends LockDirectoryContract {
    @Override
    protected EngineFixture fixture() {
        return ZooKeeperFixture.SHARED;
    }
}
