// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import java.util.Map;

/** The stores on which the packaged service is tested. */
public enum TestStore {
    ZOOKEEPER {
        @Override
        public Map<String, String> settings() {
            return Map.of(
                    "QUORUMLOCK_ENGINE",
                    "zookeeper",
                    "QUORUMLOCK_ZOOKEEPER_TIMEOUT",
                    "5s",
                    "QUORUMLOCK_ZOOKEEPER_SERVERS",
                    SharedZooKeeper.SERVER.address(),
                    "QUORUMLOCK_ZOOKEEPER_ROOT",
                    SharedZooKeeper.newRoot());
        }
    },
    ETCD {
        @Override
        public Map<String, String> settings() {
            return Map.of(
                    "QUORUMLOCK_ENGINE",
                    "etcd",
                    "QUORUMLOCK_ETCD_TIMEOUT",
                    "5s",
                    "QUORUMLOCK_ETCD_SERVERS",
                    SharedEtcd.cluster().url(0),
                    "QUORUMLOCK_ETCD_ROOT",
                    SharedEtcd.newRoot());
        }
    };

    /** Returns the settings of a service whose locks no other test sees. Without etcd on this machine, the test is left out. */
    public abstract Map<String, String> settings();
}
