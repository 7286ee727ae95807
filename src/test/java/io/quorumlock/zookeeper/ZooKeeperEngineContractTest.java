// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.zookeeper;

import io.quorumlock.lock.LockEngineContract;
import io.quorumlock.testing.EngineFixture;

class ZooKeeperEngineContractTest extends LockEngineContract {
    @Override
    protected EngineFixture fixture() {
        return ZooKeeperFixture.SHARED;
    }
}
