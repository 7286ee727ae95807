// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redlock;

import io.quorumlock.core.lock.LockEngineContract;
import io.quorumlock.testing.EngineFixture;
import io.quorumlock.testing.FleetFixture;

class RedlockEngineContractTest extends LockEngineContract {
    @Override
    protected EngineFixture fixture() {
        return new FleetFixture();
    }
}
