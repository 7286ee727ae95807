// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.zookeeper;

import io.quorumlock.testing.SharedZooKeeper;
import java.time.Duration;

/** Settings for tests, with long timeouts, because the test machine may be busy. */
final class TestSettings {
    private TestSettings() {}

    /** Returns settings with a root path of their own. */
    static ZooKeeperSettings of(String servers) {
        return of(servers, SharedZooKeeper.newRoot(), ZooKeeperSettings.Security.NONE);
    }

    static ZooKeeperSettings of(String servers, String root, ZooKeeperSettings.Security security) {
        return new ZooKeeperSettings(servers, root, false, Duration.ofSeconds(10), Duration.ofSeconds(20), security);
    }
}
