// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.consensus;

import io.quorumlock.core.lock.LockEngineContract;
import io.quorumlock.testing.EngineFixture;
import io.quorumlock.testing.FakeConsensus;

class ConsensusEngineContractTest extends LockEngineContract {
    @Override
    protected EngineFixture fixture() {
        return new FakeConsensus();
    }
}
