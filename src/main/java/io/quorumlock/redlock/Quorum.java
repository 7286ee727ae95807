package io.quorumlock.redlock;

/**
 * The majority of the <em>configured</em> nodes, which does not depend on the reachable ones (R1).
 *
 * @param total number of configured nodes, 1 or an odd number from 3; one node more would tolerate no more failures
 */
public record Quorum(int total) {

    public Quorum {
        if (total < 1 || total % 2 == 0) {
            throw new IllegalArgumentException("nodes must be an odd number");
        }
    }

    /** Returns the number of votes for a majority. */
    public int required() {
        return total / 2 + 1;
    }
}
