package io.quorumlock.waiting;

import java.util.BitSet;

/** Collects which nodes may be free since the last attempt began. */
final class ReleaseHints {
    private final int quorum;
    private final BitSet nodes = new BitSet();
    private boolean passedOn;

    ReleaseHints(int quorum) {
        this.quorum = quorum;
    }

    void from(int node) {
        nodes.set(node);
    }

    /** Notes that the lock was passed on at another replica. */
    void passedOn() {
        passedOn = true;
    }

    boolean werePassedOn() {
        return passedOn;
    }

    void fromMajority() {
        nodes.set(0, quorum);
    }

    boolean any() {
        return !nodes.isEmpty();
    }

    /** Says whether they make a majority: that many votes can be had. */
    boolean suffice() {
        return nodes.cardinality() >= quorum;
    }

    void clear() {
        nodes.clear();
        passedOn = false;
    }
}
