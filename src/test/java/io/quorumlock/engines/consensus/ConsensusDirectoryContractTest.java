// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.consensus;

import io.quorumlock.core.lock.LockDirectoryContract;
import io.quorumlock.testing.EngineFixture;
import io.quorumlock.testing.FakeConsensus;

class ConsensusDirectoryContractTest extends LockDirectoryContract {
    @Override
    protected EngineFixture fixture() {
        return new FakeConsensus();
    }
}
