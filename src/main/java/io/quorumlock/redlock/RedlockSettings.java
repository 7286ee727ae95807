package io.quorumlock.redlock;

import java.time.Duration;

/**
 * The configuration of the algorithm.
 *
 * @param extensionsMax maximum number of extensions of one lease (R13)
 * @param ttlMax the longest time that any lease can exist on a node
 * @param cleanUpsMax maximum number of pending deletes per node (R14)
 */
public record RedlockSettings(Drift drift, int extensionsMax, Duration ttlMax, int cleanUpsMax) {
    /**
     * The number of calls that can be under way when a node goes away. More would only burden the garbage collector.
     */
    static final int CLEAN_UPS_MAX = 2_048;

    /** Uses the default bound of pending deletes. */
    public RedlockSettings(Drift drift, int extensionsMax, Duration ttlMax) {
        this(drift, extensionsMax, ttlMax, CLEAN_UPS_MAX);
    }

    int extensionsLeft(int used) {
        return Math.max(0, extensionsMax - used);
    }
}
