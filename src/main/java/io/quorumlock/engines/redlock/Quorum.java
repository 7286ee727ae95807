// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redlock;

/**
 * The majority of the <em>configured</em> masters, which does not depend on the reachable ones (R1).
 *
 * @param total number of configured masters, an odd number; an even number tolerates no more failures than one master less
 */
public record Quorum(int total) {

    public Quorum {
        if (total < 1 || total % 2 == 0) {
            throw new IllegalArgumentException("number of masters is " + total + "; it must be odd");
        }
    }

    /** Returns the number of votes for a majority. */
    public int required() {
        return total / 2 + 1;
    }
}
