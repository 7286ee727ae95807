// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.etcd;

import io.quorumlock.consensus.ConsensusServiceContract;
import io.quorumlock.testing.TestStore;
import java.util.Map;
import org.junit.jupiter.api.Tag;

@Tag("tools")
class EtcdServiceIT extends ConsensusServiceContract {
    @Override
    protected Map<String, String> environment() {
        return TestStore.ETCD.settings();
    }
}
