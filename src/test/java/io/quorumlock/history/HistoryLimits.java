// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.history;

import io.quorumlock.core.loop.Drift;
import java.time.Duration;

/**
 * The settings of the service and the bounds of the environment in which a history was recorded.
 *
 * @param rateError the largest error of the rate of a replica's clock
 * @param longestCall the longest time of a call that does not wait
 * @param masters number of masters
 */
public record HistoryLimits(Drift drift, double rateError, Duration longestCall, int extensionsMax, int masters) {

    /** Returns the TTL without the drift. */
    long usable(long ttl) {
        return ttl - drift.of(Duration.ofNanos(ttl)).toNanos();
    }
}
