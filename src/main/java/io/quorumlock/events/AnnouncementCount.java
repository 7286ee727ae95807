package io.quorumlock.events;

import java.util.BitSet;

/** Counts which nodes announced one thing. A node that announces it again begins a new round. */
final class AnnouncementCount {
    private final int quorum;
    private final BitSet nodes = new BitSet();
    private boolean told;

    AnnouncementCount(int quorum) {
        this.quorum = quorum;
    }

    /** Says whether this node makes the majority; those that come after it do not. */
    boolean count(int node) {
        if (nodes.get(node)) {
            nodes.clear();
            told = false;
        }
        nodes.set(node);
        if (told || nodes.cardinality() < quorum) {
            return false;
        }
        told = true;
        return true;
    }
}
