// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.settings;

/** An engine that can be chosen. */
public enum EngineKind {
    /** Majorities of independent Redis masters. */
    REDLOCK,
    /** A ZooKeeper ensemble. */
    ZOOKEEPER,
    /** An etcd cluster. */
    ETCD
}
