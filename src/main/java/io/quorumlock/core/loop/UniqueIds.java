// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.core.loop;

import java.util.random.RandomGenerator;

/** A generator of ids that are unique across all replicas (R3): a random name of this replica, and a counter. */
public final class UniqueIds {
    private static final char SEPARATOR = '.';

    private final String replica;
    private long count;

    public UniqueIds(RandomGenerator random) {
        this.replica = Long.toUnsignedString(random.nextLong(), Character.MAX_RADIX);
    }

    /** Returns the name of this replica, which no other one has. */
    public String replica() {
        return replica;
    }

    /** Returns the name of the replica that created an id. */
    public static String replicaOf(String id) {
        int end = id.indexOf(SEPARATOR);
        return end < 0 ? id : id.substring(0, end);
    }

    /** Returns a new id: the name of this replica, a dot and a number. */
    public String next() {
        return replica + SEPARATOR + Long.toString(++count, Character.MAX_RADIX);
    }
}
