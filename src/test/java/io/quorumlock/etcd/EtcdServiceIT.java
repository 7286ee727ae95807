// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.etcd;

import io.quorumlock.consensus.ConsensusServiceContract;
import io.quorumlock.testing.SharedEtcd;
import java.util.Map;
import org.junit.jupiter.api.Tag;

@Tag("tools")
class EtcdServiceIT extends ConsensusServiceContract {
    @Override
    protected Map<String, String> environment() {
        return Map.of(
                "QUORUMLOCK_ENGINE",
                "etcd",
                "QUORUMLOCK_ETCD_TIMEOUT",
                "5s",
                "QUORUMLOCK_ETCD_SERVERS",
                SharedEtcd.cluster().addresses().get(0).toString(),
                "QUORUMLOCK_ETCD_ROOT",
                SharedEtcd.newRoot());
    }
}
