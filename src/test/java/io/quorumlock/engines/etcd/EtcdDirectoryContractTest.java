// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.etcd;

import io.quorumlock.core.lock.LockDirectoryContract;
import io.quorumlock.testing.EngineFixture;
import io.quorumlock.testing.SharedEtcd;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

@Tag("tools")
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(SharedEtcd.NAME)
class EtcdDirectoryContractTest extends LockDirectoryContract {
    @Override
    protected EngineFixture fixture() {
        return TestStores.engines();
    }
}
