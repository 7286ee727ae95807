package io.quorumlock.lock;

/**
 * Orders the leases of one resource: a later one has the larger number, across crashes and restarts (S3). A resource that
 * remembers the largest it has seen and refuses smaller ones is safe even from a holder that was paused for too long.
 *
 * @param number 1 to 2^53 - 1, exact in every JSON library; not dense
 */
public record FencingToken(long number) implements Comparable<FencingToken> {
    /** The largest number that a token can have. */
    public static final long LARGEST = (1L << 53) - 1;

    public FencingToken {
        if (number < 1 || number > LARGEST) {
            throw new IllegalArgumentException("fencing token out of range");
        }
    }

    @Override
    public int compareTo(FencingToken other) {
        return Long.compare(number, other.number);
    }
}
