package io.quorumlock.redlock;

import java.util.random.RandomGenerator;

/**
 * A generator of attempt ids that are unique across all replicas (R3): a random part for this replica, and a counter.
 */
final class AttemptIds {
    private final String replica;
    private long count;

    AttemptIds(RandomGenerator random) {
        this.replica = Long.toUnsignedString(random.nextLong(), Character.MAX_RADIX) + ".";
    }

    String next() {
        return replica + Long.toString(++count, Character.MAX_RADIX);
    }
}
