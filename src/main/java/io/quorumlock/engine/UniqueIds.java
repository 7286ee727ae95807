// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engine;

import java.util.random.RandomGenerator;

/** A generator of ids that are unique across all replicas (R3): a random name of this replica, and a counter. */
public final class UniqueIds {
    private final String replica;
    private long count;

    public UniqueIds(RandomGenerator random) {
        this.replica = Long.toUnsignedString(random.nextLong(), Character.MAX_RADIX);
    }

    /** Returns the name of this replica, which no other one has. */
    public String replica() {
        return replica;
    }

    /** Returns a new id: the name of this replica, a dot and a number. */
    public String next() {
        return replica + "." + Long.toString(++count, Character.MAX_RADIX);
    }
}
