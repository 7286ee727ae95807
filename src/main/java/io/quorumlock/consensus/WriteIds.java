// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.consensus;

import java.util.random.RandomGenerator;

/** The ids of writes, unique among all writes of all replicas (R3): the name of this replica, and a counter. */
final class WriteIds {
    private final String replica;
    private long count;

    WriteIds(RandomGenerator random) {
        this.replica = Long.toUnsignedString(random.nextLong(), Character.MAX_RADIX);
    }

    /** Returns the name of this replica, which no other one has. */
    String replica() {
        return replica;
    }

    String next() {
        return replica + "." + Long.toString(++count, Character.MAX_RADIX);
    }
}
