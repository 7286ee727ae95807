// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redlock;

import io.quorumlock.time.Drift;
import java.time.Duration;
import java.util.OptionalInt;

/**
 * The configuration of the algorithm.
 *
 * @param extensionsMax maximum number of extensions of one lease (R13); empty for no limit
 * @param ttlMax the longest TTL of any lease
 * @param nodeTimeout the longest time in which a command of a replica takes effect on a master that answers
 * @param cleanUpsMax maximum number of pending deletes per master (R14)
 */
public record RedlockSettings(
        Drift drift, OptionalInt extensionsMax, Duration ttlMax, Duration nodeTimeout, int cleanUpsMax) {
    /**
     * The default limit: about the number of calls in flight when a master fails. More entries would only cost garbage
     * collection.
     */
    private static final int CLEAN_UPS_MAX = 2_048;

    /** Uses the default bound of pending deletes. */
    public RedlockSettings(Drift drift, OptionalInt extensionsMax, Duration ttlMax, Duration nodeTimeout) {
        this(drift, extensionsMax, ttlMax, nodeTimeout, CLEAN_UPS_MAX);
    }

    OptionalInt extensionsLeft(int used) {
        return extensionsMax.stream().map(most -> Math.max(0, most - used)).findFirst();
    }
}
