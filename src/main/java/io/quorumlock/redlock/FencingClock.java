package io.quorumlock.redlock;

import io.quorumlock.lock.FencingToken;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * Proposes fencing tokens (R10): the time of day, so that it is beyond what a counter that was lost can have reached. All
 * replicas read it from the nodes, so that a replica whose own clock is wrong proposes what the others would.
 */
final class FencingClock {
    static final long NO_TIME = -1;

    /** Leaves room for a thousand grants in a millisecond; the product stays below 2^53 until 2248. */
    private static final long PER_MILLISECOND = 1024;

    private static final long LATEST = FencingToken.LARGEST / PER_MILLISECOND;
    private static final int TTL_PARTS = 8;

    private final FleetClock clock;
    private final long tolerance;
    private long largest;

    /**
     * @param ttlMax an eighth of it is the tolerance: by so much a token may be ahead of the clock or behind it, far less than
     *     a node that forgot gives no vote (R9)
     */
    FencingClock(FleetClock clock, Duration ttlMax) {
        this.clock = clock;
        this.tolerance = ttlMax.toMillis() * PER_MILLISECOND / TTL_PARTS;
    }

    /** Returns whether tokens can be made of a time. A clock that shows another one is wrong. */
    static boolean isTime(long millis) {
        return millis > 0 && millis <= LATEST;
    }

    /** Proposes a token. Without the time of day it is less than the counters, which then count on. */
    FencingToken candidate() {
        largest = Math.max(now().orElse(0), Math.min(largest + 1, FencingToken.LARGEST));
        return new FencingToken(largest);
    }

    /** Goes on from a token of another replica, unless it is too far ahead: it would be spread to all resources. */
    void saw(FencingToken token) {
        if (token.number() > largest && token.number() <= now().orElse(-tolerance) + tolerance) {
            largest = token.number();
        }
    }

    /** Returns the smallest token that a new lease may have, by the clocks that were read with its votes. */
    FencingToken least() {
        return new FencingToken(Math.max(1, now().orElse(0) - tolerance));
    }

    private OptionalLong now() {
        OptionalLong millis = clock.millis();
        return millis.isPresent() ? OptionalLong.of(millis.getAsLong() * PER_MILLISECOND) : millis;
    }
}
