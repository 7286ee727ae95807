// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.core.lock;

/**
 * The number of a lease among all leases of its resource: a later lease has a larger one, across crashes and restarts
 * (S3). A storage system that remembers the largest number and rejects smaller ones is safe even from a holder that was
 * paused for too long.
 *
 * @param number 1 to 2^53 - 1, exact in every JSON library; not dense
 */
public record FencingToken(long number) implements Comparable<FencingToken> {
    /** The largest possible number. */
    public static final long LARGEST = (1L << 53) - 1;

    public FencingToken {
        if (number < 1 || number > LARGEST) {
            throw new IllegalArgumentException("fencing token must be from 1 to " + LARGEST);
        }
    }

    @Override
    public int compareTo(FencingToken other) {
        return Long.compare(number, other.number);
    }
}
