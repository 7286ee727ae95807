// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.lock;

import java.util.List;

/**
 * The configured nodes as this replica sees them. Reads cached state and never calls Redis, so that probes may use it.
 */
public interface Fleet {

    /** Returns the configured nodes in their order. */
    List<NodeStatus> nodes();

    /** Returns the quorum: a majority of the configured nodes (R1). */
    int quorum();

    /** Returns the number of nodes that vote. */
    default int up() {
        return (int) nodes().stream().filter(NodeStatus::up).count();
    }

    /** Returns whether a majority votes. */
    default boolean hasQuorum() {
        return up() >= quorum();
    }
}
