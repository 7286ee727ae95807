// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.core.loop;

import java.time.Duration;
import java.util.OptionalInt;

/**
 * The settings that all engines have.
 *
 * @param extensionsMax maximum number of extensions of one lease (R13); empty for no limit
 * @param ttlMax the longest TTL of any lease
 * @param callTimeout the longest time in which a call of a replica takes effect on a server that answers
 * @param cleanUpsMax maximum number of pending deletes per server (R14)
 */
public record EngineSettings(
        Drift drift, OptionalInt extensionsMax, Duration ttlMax, Duration callTimeout, int cleanUpsMax) {
    /**
     * The default limit: about the number of calls in flight when a server fails. More entries would only cost garbage
     * collection.
     */
    private static final int CLEAN_UPS_MAX = 2_048;

    /** Uses the default limit of pending deletes. */
    public EngineSettings(Drift drift, OptionalInt extensionsMax, Duration ttlMax, Duration callTimeout) {
        this(drift, extensionsMax, ttlMax, callTimeout, CLEAN_UPS_MAX);
    }

    /** Returns the remaining number of extensions of a lease; empty for no limit. */
    public OptionalInt extensionsLeft(int used) {
        return extensionsMax.stream().map(most -> Math.max(0, most - used)).findFirst();
    }
}
