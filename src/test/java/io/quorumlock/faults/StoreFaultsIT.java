// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import io.quorumlock.testing.Proves;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Random faults of the members of a store, replicas and the connections between them while clients work. */
@Isolated
@Tag("nightly")
@Proves("L2")
class StoreFaultsIT {

    @Test
    void onOwnCluster() {
        check("StoreFaultsIT#onOwnCluster", Members::ofOwnCluster);
    }

    @Test
    void onEtcd() {
        check("StoreFaultsIT#onEtcd", Members::ofEtcd);
    }

    private static void check(String test, Supplier<Servers> begin) {
        RandomFaultsIT.check(RunOptions.read(test), begin);
    }
}
