// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.masters;

import io.quorumlock.core.loop.MonotonicTime;
import java.time.Duration;

/**
 * The bounds of the difference between a master's wall clock, by which Redis expires locks, and the monotonic clock of
 * this process. A vote is valid for its full time only while both clocks run at the same rate. The error of a reading
 * is at most the round trip.
 */
final class MasterClock {
    /** The largest tolerated difference from the known bounds. */
    static final Duration STEP = Duration.ofMillis(10);

    /**
     * The tolerated difference between the rates of both clocks: 2,000 ppm, a fifth of the default drift. NTP keeps
     * clocks closer, even if both are slewed at 500 ppm.
     */
    private static final int TOLERATED_ONE_IN = 500;

    /** A reading whose round trip exceeds the width of the bounds by more shows little. */
    private static final Duration LATE = Duration.ofMillis(50);

    /** Bounds of the master's clock minus the own monotonic clock, in nanoseconds. */
    private long lowest;

    private long highest;
    /** When the first reading of these bounds was received; null before. */
    private MonotonicTime started;
    /** When the last reading that fits was received. */
    private MonotonicTime fitted;

    /** The last reading: bounds of the same difference. */
    private long low;

    private long high;
    private MonotonicTime received;
    /** How far the readings since the last one that fits were certainly ahead and behind. */
    private long ahead;

    private long behind;

    /** An interval that contains the movement of one clock against another, in nanoseconds. */
    record Shift(long low, long high) {
        /** Returns the distance from zero; negative if the clock moved back. */
        long distance() {
            return low > 0 ? low : Math.min(0, high);
        }

        boolean fits() {
            return Math.abs(distance()) <= STEP.toNanos();
        }
    }

    /**
     * Notes a reading. The first one begins the bounds.
     *
     * @param micros the master's clock at some time between {@code sent} and {@code now}
     */
    void read(MonotonicTime sent, MonotonicTime now, long micros) {
        low = micros * 1_000 - now.nanos();
        high = micros * 1_000 - sent.nanos();
        received = now;
        if (started == null) {
            restart();
        }
    }

    /** Returns by how much the master's clock may have moved against the own one since the bounds were known. */
    Shift shift() {
        return new Shift(low - highest - tolerated(), high - lowest + tolerated());
    }

    private long tolerated() {
        return received.since(fitted).toNanos() / TOLERATED_ONE_IN;
    }

    /** Returns whether the round trip of the last reading was short enough for a judgement. */
    boolean isExact() {
        return high - low <= highest - lowest + 2 * tolerated() + LATE.toNanos();
    }

    /**
     * Adds the last reading to the bounds if it fits. Returns whether it fits, and so did the readings before it: a clock
     * that stepped and was set back does not fit.
     */
    boolean accept() {
        Shift shift = shift();
        if (!shift.fits()) {
            ahead = Math.max(ahead, shift.low());
            behind = Math.min(behind, shift.high());
        }
        if (!new Shift(behind, behind).fits() || !new Shift(ahead, ahead).fits()) {
            return false;
        }
        ahead = 0;
        behind = 0;
        lowest -= tolerated();
        highest += tolerated();
        // Smaller differences do not move the bounds. Otherwise a clock that drifts slowly would never be detected.
        if (shift.distance() == 0) {
            lowest = Math.max(lowest, low);
            highest = Math.min(highest, high);
        }
        fitted = received;
        return true;
    }

    /** Moves the bounds after a stop of the own clock, by which the master's clock moved forward. */
    void move(Shift stop) {
        lowest += stop.low();
        highest += stop.high();
        ahead = Math.max(0, ahead - stop.high());
    }

    /** Begins again with the last reading. */
    void restart() {
        lowest = low;
        highest = high;
        started = received;
        fitted = received;
        ahead = 0;
        behind = 0;
    }

    boolean isStartedBefore(MonotonicTime time) {
        return started != null && started.isBefore(time);
    }
}
