// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import io.quorumlock.core.lock.LockKind;
import java.util.List;

/**
 * What some histories have in addition, by their seed and not by a draw, so that the histories of all other seeds stay as they
 * are.
 *
 * @param keepsLocks whether releases of some leases keep the lock
 * @param takesSeveral whether clients also take several locks at once
 * @param kinds of locks, of which each client uses one
 */
record Additions(boolean keepsLocks, boolean takesSeveral, List<LockKind> kinds) {
    private static final int KEEP = 5;
    private static final int SEVERAL = 8;

    /** Most histories have exclusive locks only. */
    private static final List<List<LockKind>> KINDS = List.of(
            List.of(LockKind.EXCLUSIVE),
            List.of(LockKind.EXCLUSIVE),
            List.of(LockKind.EXCLUSIVE),
            List.of(LockKind.EXCLUSIVE),
            List.of(LockKind.EXCLUSIVE),
            List.of(LockKind.EXCLUSIVE, LockKind.SHARED, LockKind.SHARED),
            List.of(LockKind.ofSlots(2), LockKind.ofSlots(2), LockKind.ofSlots(2), LockKind.EXCLUSIVE));

    static Additions of(long seed) {
        return new Additions(
                Math.floorMod(seed, KEEP) == KEEP - 1,
                Math.floorMod(seed, SEVERAL) == 3,
                KINDS.get(Math.floorMod(seed, KINDS.size())));
    }

    LockKind kindOf(int client) {
        return kinds.get(client % kinds.size());
    }

    /**
     * Returns whether a waiting client may keep others out of a free lock for a while, also after it left: a writer, or a client
     * for several locks.
     */
    boolean hasReservations() {
        return takesSeveral || kinds.contains(LockKind.SHARED);
    }
}
