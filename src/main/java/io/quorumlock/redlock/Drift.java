package io.quorumlock.redlock;

import java.time.Duration;

/**
 * Allows for clocks of different rates, and for Redis expiring with a precision of a millisecond.
 *
 * @param factor the part of a TTL by which two clocks may disagree, 0 to below 1
 * @param constant added to it
 */
public record Drift(double factor, Duration constant) {

    public Drift {
        if (!(factor >= 0 && factor < 1) || constant.isNegative()) {
            throw new IllegalArgumentException("drift must be a factor from 0 to below 1 and a constant from 0");
        }
    }

    /** Names what to take off a TTL. */
    public Duration of(Duration ttl) {
        return constant.plusNanos((long) Math.ceil(ttl.toNanos() * factor));
    }

    /**
     * Computes what a holder may count on: {@code left - elapsed - drift}, in whole milliseconds; zero or less means no
     * lease (R4, S2).
     *
     * @param left what the nodes keep the lock for, counted from {@code elapsed} ago
     */
    public Duration validity(Duration left, Duration elapsed) {
        Duration validity = left.minus(elapsed).minus(of(left));
        return Duration.ofMillis(Math.floorDiv(validity.toNanos(), 1_000_000));
    }
}
