// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redlock;

import io.quorumlock.lock.LockEngineContract;
import io.quorumlock.testing.EngineFixture;
import io.quorumlock.testing.FleetFixture;

class RedlockEngineContractTest extends LockEngineContract {
    @Override
    protected EngineFixture fixture() {
        return new FleetFixture();
    }
}
