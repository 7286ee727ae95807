package io.quorumlock.redlock;

/**
 * Is a majority of the <em>configured</em> nodes: a constant, whoever can be reached (R1).
 *
 * @param total the configured nodes, 1 or an odd number from 3; an even one tolerates no more failures than one less
 */
public record Quorum(int total) {

    public Quorum {
        if (total < 1 || total % 2 == 0) {
            throw new IllegalArgumentException("nodes must be an odd number");
        }
    }

    /** Counts how many must say yes. */
    public int required() {
        return total / 2 + 1;
    }
}
