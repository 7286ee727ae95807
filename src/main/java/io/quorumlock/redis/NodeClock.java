package io.quorumlock.redis;

import io.quorumlock.time.Moment;
import java.time.Duration;

/**
 * Watches the wall clock of a node, by which Redis expires locks, against our monotonic one: a vote counts for as long as it
 * should only while the two run alike. A reading is exact but for the time that it took to come.
 */
final class NodeClock {
    /** Less than this may be a clock that is slewed, and the drift that is taken off every lease makes up for most of it. */
    static final Duration STEP = Duration.ofMillis(10);

    /** The rates of two clocks differ by less, or no lease is right (R4). */
    private static final int SLEWED_AT_MOST_ONE_IN = 100;

    private boolean known;
    private Moment lastRead;
    /** The node's clock less ours, in nanoseconds: it lies between these. */
    private long least;

    private long most;

    /**
     * Takes a reading.
     *
     * @param micros what the node's clock showed between {@code sent} and {@code received}
     * @return how far the clock was set since the reading before, at least; zero unless that is certain
     */
    Duration read(Moment sent, Moment received, long micros) {
        long low = micros * 1_000 - received.nanos();
        long high = micros * 1_000 - sent.nanos();
        long moved = known ? distance(low, high, slew(received)) : 0;
        if (!known || moved > 0) {
            least = low;
            most = high;
        } else {
            long slew = slew(received);
            least = Math.max(least - slew, low);
            most = Math.min(most + slew, high);
        }
        known = true;
        lastRead = received;
        return moved > STEP.toNanos() ? Duration.ofNanos(moved) : Duration.ZERO;
    }

    private long slew(Moment now) {
        return now.since(lastRead).toNanos() / SLEWED_AT_MOST_ONE_IN;
    }

    /** Tells how far apart what was known and what was read are; zero where they overlap. */
    private long distance(long low, long high, long slew) {
        return Math.max(0, Math.max(low - (most + slew), least - slew - high));
    }
}
