// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redlock;

import io.quorumlock.core.lock.LockDirectoryContract;
import io.quorumlock.testing.EngineFixture;
import io.quorumlock.testing.FleetFixture;

class RedlockDirectoryContractTest extends LockDirectoryContract {
    @Override
    protected EngineFixture fixture() {
        return new FleetFixture();
    }
}
