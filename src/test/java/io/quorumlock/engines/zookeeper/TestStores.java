// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.zookeeper;

import io.quorumlock.testing.MasterLog;
import io.quorumlock.testing.RealStore;
import io.quorumlock.testing.RealStoreEngines;
import io.quorumlock.testing.SharedZooKeeper;
import java.util.concurrent.ForkJoinPool;

/** Stores of records and engines on the shared server. */
final class TestStores {
    static final RealStoreEngines ENGINES = engines();

    private TestStores() {}

    static RealStore store() {
        ZooKeeperSettings settings = TestSettings.of(SharedZooKeeper.SERVER.address());
        return new RealStore(
                SharedZooKeeper.LOOP,
                context -> new ZooKeeperStore(settings, ForkJoinPool.commonPool(), context, new MasterLog()));
    }

    private static RealStoreEngines engines() {
        ZooKeeperSettings settings = TestSettings.of(SharedZooKeeper.SERVER.address());
        return new RealStoreEngines(
                SharedZooKeeper.LOOP,
                context -> new ZooKeeperStore(settings, ForkJoinPool.commonPool(), context, new MasterLog()));
    }
}
