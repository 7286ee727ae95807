// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.core.loop;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * The allowance for clocks of different rates, and for times that are stored in whole milliseconds.
 *
 * @param factor the relative difference of two clocks, 0 to below 1
 * @param constant added to the product of factor and TTL
 */
public record Drift(double factor, Duration constant) {

    public Drift {
        if (!(factor >= 0 && factor < 1) || constant.isNegative()) {
            throw new IllegalArgumentException("drift must be a factor from 0 to below 1 and a constant from 0");
        }
    }

    /** Returns the time to subtract from a TTL. */
    public Duration of(Duration ttl) {
        return constant.plusNanos((long) Math.ceil(ttl.toNanos() * factor));
    }

    /**
     * Returns the validity of a lease: {@code left - elapsed - drift} in whole milliseconds; zero means no lease
     * (R4, S2).
     *
     * @param left how long other clients cannot get the lock, counted from the start of the attempt
     */
    public Duration validity(Duration left, Duration elapsed) {
        Duration validity = left.minus(elapsed).minus(of(left));
        return validity.isNegative() ? Duration.ZERO : validity.truncatedTo(ChronoUnit.MILLIS);
    }
}
