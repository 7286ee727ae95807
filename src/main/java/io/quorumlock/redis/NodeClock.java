package io.quorumlock.redis;

import io.quorumlock.time.MonotonicTime;
import java.time.Duration;

/**
 * The detector of steps of a node's wall clock, by which Redis expires locks. Compares it with the monotonic clock of
 * this process. A vote is valid for its full time only while both clocks run at the same rate. The error of a reading
 * is at most the round trip.
 */
final class NodeClock {
    /** The largest tolerated difference from the known bounds. */
    static final Duration STEP = Duration.ofMillis(10);

    /**
     * The tolerated difference between the rates of both clocks: 2,000 ppm, a fifth of the default drift. NTP keeps
     * clocks closer, even if both are slewed at 500 ppm.
     */
    private static final int TOLERATED_ONE_IN = 500;

    private boolean known;
    private MonotonicTime lastRead;
    /** Bounds of the node's clock minus the own clock, in nanoseconds. */
    private long lowest;

    private long highest;

    /**
     * One reading.
     *
     * @param moved lower bound of the step; negative for a step back, zero if there is no certain step
     * @param usual part of the round trip that the known bounds contain: a step is larger than its lower bound by this
     *     time, if the path is as quick as before
     * @param sinceLast time since the reading before; zero at the first one
     */
    record Reading(Duration moved, Duration usual, Duration sinceLast) {
        /** Returns the size of the step if the path is as quick as before. */
        Duration likelyStep() {
            return moved.isNegative() ? moved.minus(usual) : moved.plus(usual);
        }

        /** Returns the difference between both clocks that is tolerated since the reading before. */
        Duration tolerated() {
            return sinceLast.dividedBy(TOLERATED_ONE_IN);
        }
    }

    /**
     * Processes a reading.
     *
     * @param micros the node's clock at some time between {@code sent} and {@code received}
     */
    Reading read(MonotonicTime sent, MonotonicTime received, long micros) {
        long low = micros * 1_000 - received.nanos();
        long high = micros * 1_000 - sent.nanos();
        Duration usual = known ? Duration.ofNanos(Math.min(high - low, highest - lowest)) : Duration.ZERO;
        Duration sinceLast = known ? received.since(lastRead) : Duration.ZERO;
        return new Reading(moved(low, high, sinceLast, received), usual, sinceLast);
    }

    private Duration moved(long low, long high, Duration sinceLast, MonotonicTime received) {
        long tolerated = sinceLast.toNanos() / TOLERATED_ONE_IN;
        lowest -= tolerated;
        highest += tolerated;
        lastRead = received;
        long moved = known ? distance(low, high) : 0;
        if (!known || Math.abs(moved) > STEP.toNanos()) {
            known = true;
            lowest = low;
            highest = high;
            return Duration.ofNanos(moved);
        }
        // Smaller differences do not move the bounds. Otherwise a clock that drifts slowly would never be detected.
        if (moved == 0) {
            lowest = Math.max(lowest, low);
            highest = Math.min(highest, high);
        }
        return Duration.ZERO;
    }

    /** Returns the distance of a reading from the known bounds; zero if they overlap. */
    private long distance(long low, long high) {
        return low - highest > 0 ? low - highest : Math.min(0, high - lowest);
    }
}
