package io.quorumlock.redis;

import io.quorumlock.time.MonotonicTime;
import java.time.Duration;

/**
 * Watches the wall clock of a node, by which Redis expires locks, against our monotonic one: a vote counts for as long as it
 * should only while the two run alike. A reading is exact but for the time that it took to come.
 */
final class NodeClock {
    /** Smaller differences are tolerated, as long as they do not add up. */
    static final Duration STEP = Duration.ofMillis(10);

    /**
     * The difference between the rates of the two clocks that is tolerated: 2,000 ppm, a fifth of the usual drift. Clocks that are
     * kept by NTP differ by less, slewing at 500 ppm on both sides included.
     */
    private static final int TOLERATED_ONE_IN = 500;

    private boolean known;
    private MonotonicTime lastRead;
    /** The node's clock less ours, in nanoseconds: it lies between these. */
    private long least;

    private long most;

    /**
     * Takes a reading.
     *
     * @param micros what the node's clock showed between {@code sent} and {@code received}
     * @return how far ahead of the expected time the clock was set, at least; negative if behind, zero unless that is certain
     */
    Duration read(MonotonicTime sent, MonotonicTime received, long micros) {
        long low = micros * 1_000 - received.nanos();
        long high = micros * 1_000 - sent.nanos();
        if (known) {
            long tolerated = received.since(lastRead).toNanos() / TOLERATED_ONE_IN;
            least -= tolerated;
            most += tolerated;
        }
        lastRead = received;
        long moved = known ? distance(low, high) : 0;
        if (!known || Math.abs(moved) > STEP.toNanos()) {
            known = true;
            least = low;
            most = high;
            return Duration.ofNanos(moved);
        }
        // What was known does not follow a smaller difference: a clock that creeps would take it along.
        if (moved == 0) {
            least = Math.max(least, low);
            most = Math.min(most, high);
        }
        return Duration.ZERO;
    }

    /** Tells how far what was read is beyond what was known; zero where they overlap. */
    private long distance(long low, long high) {
        return low - most > 0 ? low - most : Math.min(0, high - least);
    }
}
