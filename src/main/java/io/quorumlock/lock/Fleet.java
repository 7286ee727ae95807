package io.quorumlock.lock;

import java.util.List;

/** Shows the configured nodes from cached state: never asks Redis, so probes may call it. */
public interface Fleet {

    /** Lists the configured nodes in their order. */
    List<NodeStatus> nodes();

    /** Counts how many must agree: a majority of the configured (R1). */
    int quorum();

    /** Counts the nodes that vote. */
    default int up() {
        return (int) nodes().stream().filter(NodeStatus::up).count();
    }

    /** Says whether a majority votes. */
    default boolean hasQuorum() {
        return up() >= quorum();
    }
}
