// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.etcd;

import io.quorumlock.engines.consensus.RecordStoreContract;
import io.quorumlock.testing.SharedEtcd;
import io.quorumlock.testing.StoreFixture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

@Tag("tools")
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(SharedEtcd.NAME)
class EtcdStoreContractTest extends RecordStoreContract {
    @Override
    protected StoreFixture fixture() {
        return TestStores.store();
    }
}
