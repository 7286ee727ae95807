package io.quorumlock.redlock;

import io.quorumlock.lock.FencingToken;
import java.time.InstantSource;

/**
 * Proposes fencing tokens (R10): the time of day, so that it is beyond what a counter that was lost can have reached, and beyond
 * all that this replica has seen, should its clock be behind.
 */
final class FencingClock {
    /** Leaves room for a thousand grants in a millisecond; the product stays below 2^53 until 2248. */
    private static final long PER_MILLISECOND = 1024;

    private final InstantSource wallClock;
    private long largest;

    FencingClock(InstantSource wallClock) {
        this.wallClock = wallClock;
    }

    FencingToken candidate() {
        largest = Math.max(wallClock.millis() * PER_MILLISECOND, largest + 1);
        return new FencingToken(largest);
    }

    void saw(FencingToken token) {
        largest = Math.max(largest, token.number());
    }
}
