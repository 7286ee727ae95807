// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redis;

import io.quorumlock.time.MonotonicTime;
import java.time.Duration;
import java.util.Optional;

/**
 * The bounds of the difference between a node's wall clock, by which Redis expires locks, and the monotonic clock of
 * this process. A vote is valid for its full time only while both clocks run at the same rate. The error of a reading
 * is at most the round trip. Only readings that fit change the bounds, until {@link #rebase} or {@link #restart}.
 */
final class NodeClock {
    /** The largest tolerated difference from the known bounds. */
    static final Duration STEP = Duration.ofMillis(10);

    /**
     * The tolerated difference between the rates of both clocks: 2,000 ppm, a fifth of the default drift. NTP keeps
     * clocks closer, even if both are slewed at 500 ppm.
     */
    private static final int TOLERATED_ONE_IN = 500;

    /** A reading whose round trip exceeds the width of the bounds by more shows little. */
    private static final Duration LATE = Duration.ofMillis(50);

    /** A shorter suspension may be an error of the kernel's report. */
    private static final Duration SUSPENDED = Duration.ofMillis(50);

    /** The largest error of the report, which is the difference of two times in steps of 10 ms. */
    private static final Duration RESOLUTION = Duration.ofMillis(10);

    private static final long NOTHING = Long.MIN_VALUE;

    /** Bounds of the node's clock minus the own monotonic clock, in nanoseconds. */
    private long lowest;

    private long highest;
    /** When the first reading of these bounds was received; null before. */
    private MonotonicTime started;
    /** When the bounds were last moved. */
    private MonotonicTime rebased;
    /** When the last reading that fits was received. */
    private MonotonicTime fitted;
    /** The own wall clock minus the own monotonic clock at the last exact reading that fits. */
    private long fittedWall;
    /** The total of reported suspensions that the bounds contain, or that the node's clock did not show. */
    private Optional<Duration> suspended = Optional.empty();

    /** The last reading: bounds of the same difference. */
    private long low;

    private long high;
    private MonotonicTime received;
    private long wall;
    private boolean exact;
    /** The largest lower bound of the readings since the last one that fits. */
    private long furthest = NOTHING;

    /** An interval that contains the movement of one clock against another, in nanoseconds. */
    record Shift(long low, long high) {
        /** Returns the distance from zero; negative if the clock moved back. */
        long distance() {
            return low > 0 ? low : Math.min(0, high);
        }

        boolean fits() {
            return Math.abs(distance()) <= STEP.toNanos();
        }

        Shift minus(Shift other) {
            return new Shift(low - other.high, high - other.low);
        }
    }

    /**
     * Notes a reading.
     *
     * @param micros the node's clock at some time between {@code sent} and {@code now}
     * @param wallMillis the own wall clock now
     */
    void read(MonotonicTime sent, MonotonicTime now, long micros, long wallMillis) {
        low = micros * 1_000 - now.nanos();
        high = micros * 1_000 - sent.nanos();
        received = now;
        wall = wallMillis * 1_000_000 - now.nanos();
        exact = isNew() || high - low <= highest - lowest + 2 * tolerated() + LATE.toNanos();
    }

    /** Returns by how much the node's clock may have moved against the own one since the bounds were known. */
    Shift shift() {
        return isNew() ? new Shift(0, 0) : new Shift(low - highest - tolerated(), high - lowest + tolerated());
    }

    private long tolerated() {
        return received.since(fitted).toNanos() / TOLERATED_ONE_IN;
    }

    /**
     * Adds the last reading to the bounds if it fits. Returns whether it fits. It does not fit either if an earlier
     * reading was further ahead than the bounds: the clock stepped, and was set back.
     */
    boolean accept() {
        Shift shift = shift();
        if (!shift.fits() || furthest > highest + tolerated() + STEP.toNanos()) {
            furthest = Math.max(furthest, low);
            return false;
        }
        furthest = NOTHING;
        lowest -= tolerated();
        highest += tolerated();
        // Smaller differences do not move the bounds. Otherwise a clock that drifts slowly would never be detected.
        if (shift.distance() == 0) {
            lowest = Math.max(lowest, low);
            highest = Math.min(highest, high);
        }
        fitted = received;
        fittedWall = exact ? wall : fittedWall;
        return true;
    }

    /** Returns whether the clock moved back since an earlier reading. No stop of the own clock explains that. */
    boolean wentBack() {
        return furthest != NOTHING && high + tolerated() + STEP.toNanos() < furthest;
    }

    /**
     * Moves the bounds after a stop of the own clock, except for reported suspensions that they already contain.
     *
     * @param before the total of suspensions that the bounds contained which showed the stop
     * @param wasRead whether the last reading is from after the stop. Then it shows whether the node's clock stopped too
     */
    void ownClockStopped(
            Shift stop, Optional<Duration> before, Optional<Duration> suspensions, MonotonicTime now, boolean wasRead) {
        long contained = suspended
                .flatMap(own -> before.map(own::minus))
                .filter(more -> more.compareTo(SUSPENDED) > 0)
                .orElse(Duration.ZERO)
                .toNanos();
        Shift by = new Shift(stop.low() - contained, stop.high() - contained);
        if (!wasRead || !shift().fits()) {
            rebase(by, suspensions, now);
        } else if (shift().minus(by).fits()) {
            rebase(new Shift(Math.min(0, by.low()), Math.max(0, by.high())), suspensions, now);
        }
    }

    /** Moves the bounds. No suspension until now explains a later step. */
    void rebase(Shift by, Optional<Duration> suspensions, MonotonicTime now) {
        lowest += by.low();
        highest += by.high();
        suspended = suspensions;
        rebased = now;
    }

    /** Begins again with the last reading. */
    void restart(Optional<Duration> suspensions) {
        lowest = low;
        highest = high;
        started = received;
        rebased = received;
        fitted = received;
        fittedWall = wall;
        suspended = suspensions;
        furthest = NOTHING;
    }

    /**
     * Moves the bounds if the last reading shows the suspensions that the kernel reported since the last call. If it
     * cannot tell, the bounds include both cases. Afterwards they explain no later step.
     *
     * @param total of all suspensions until now, or until a reading was sent that fits
     */
    void suspended(Optional<Duration> total) {
        long more = more(total);
        if (more > SUSPENDED.toNanos()) {
            Shift by = new Shift(more - RESOLUTION.toNanos(), more + RESOLUTION.toNanos());
            boolean fits = shift().fits();
            if (shift().minus(by).fits()) {
                rebase(new Shift(fits ? 0 : by.low(), by.high()), total, received);
            } else if (!fits) {
                return;
            }
        } else if (!shift().fits()) {
            return;
        }
        suspended = total;
    }

    private long more(Optional<Duration> total) {
        return total.flatMap(now -> suspended.map(now::minus))
                .orElse(Duration.ZERO)
                .toNanos();
    }

    /**
     * Returns whether the last reading looks like a stop of the own clock: the node's clock moved forward, and the own
     * wall clock did not move with it, except for reported suspensions.
     */
    boolean showsOwnStop(Optional<Duration> suspensions) {
        long forward = shift().low();
        return forward > STEP.toNanos() && 2 * (wall - fittedWall - more(suspensions)) <= forward;
    }

    boolean isExact() {
        return exact;
    }

    boolean isStartedBefore(MonotonicTime time) {
        return !isNew() && started.isBefore(time);
    }

    boolean isRebasedSince(MonotonicTime time) {
        return !rebased.isBefore(time);
    }

    boolean isNew() {
        return started == null;
    }

    MonotonicTime fitted() {
        return fitted;
    }

    /** Returns the total of the reported suspensions that the bounds contain. */
    Optional<Duration> suspended() {
        return suspended;
    }
}
