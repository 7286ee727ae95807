package io.quorumlock.redlock;

import io.quorumlock.lock.FencingToken;
import java.time.InstantSource;

/**
 * Proposes the number that a node's counter starts from when it is new or was lost (R10): the time of day, so that it is
 * beyond what an earlier counter can have reached, and beyond all that this replica has seen, should its clock be behind.
 */
final class FencingClock {
    /** Leaves room for a thousand grants of one resource in a millisecond; the product stays below 2^53 until 2248. */
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
