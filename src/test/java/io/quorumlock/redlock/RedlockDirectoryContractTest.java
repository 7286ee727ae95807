// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redlock;

import io.quorumlock.lock.LockDirectoryContract;
import io.quorumlock.testing.EngineFixture;
import io.quorumlock.testing.FleetFixture;

class RedlockDirectoryContractTest extends LockDirectoryContract {
    @Override
    protected EngineFixture fixture() {
        return new FleetFixture();
    }
}
