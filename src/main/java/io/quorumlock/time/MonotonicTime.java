package io.quorumlock.time;

import java.time.Duration;

/**
 * Is a reading of a {@link MonotonicClock}, of use only next to another reading of the same clock.
 *
 * @param nanos since an arbitrary origin; may be negative, may overflow
 */
public record MonotonicTime(long nanos) {

    /** Tells how long after {@code earlier} this is; negative if it is before. */
    public Duration since(MonotonicTime earlier) {
        return Duration.ofNanos(nanos - earlier.nanos);
    }

    /** Names the moment that comes {@code duration} later. */
    public MonotonicTime plus(Duration duration) {
        return new MonotonicTime(nanos + duration.toNanos());
    }

    /** Says whether this comes before {@code other}. */
    public boolean isBefore(MonotonicTime other) {
        return nanos - other.nanos < 0;
    }
}
