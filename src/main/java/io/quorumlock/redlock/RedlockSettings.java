package io.quorumlock.redlock;

import java.time.Duration;

/**
 * Is what the operator set for the algorithm.
 *
 * @param extensionsMax how often one lease may be extended (R13)
 * @param ttlMax the longest that any lease can stand on a node
 * @param cleanUpsMax how many clean-ups are kept in hand for one node (R14)
 */
public record RedlockSettings(Drift drift, int extensionsMax, Duration ttlMax, int cleanUpsMax) {
    /** As many as a replica may have had under way when a node went away; more would only be copied by the collector. */
    static final int CLEAN_UPS_MAX = 2_048;

    /** Bounds the clean-ups as is usual. */
    public RedlockSettings(Drift drift, int extensionsMax, Duration ttlMax) {
        this(drift, extensionsMax, ttlMax, CLEAN_UPS_MAX);
    }

    int extensionsLeft(int used) {
        return Math.max(0, extensionsMax - used);
    }
}
