// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Random faults of the members of a store, replicas and the connections between them while clients work. */
@Isolated
@Tag("nightly")
class StoreFaultsIT {

    @Test
    void onZooKeeper() {
        RandomFaultsIT.check(RunOptions.read("StoreFaultsIT#onZooKeeper"), Members::ofZooKeeper);
    }

    @Test
    void onEtcd() {
        RandomFaultsIT.check(RunOptions.read("StoreFaultsIT#onEtcd"), Members::ofEtcd);
    }
}
