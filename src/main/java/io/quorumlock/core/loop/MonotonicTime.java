// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.core.loop;

import java.time.Duration;

/**
 * A reading of a {@link MonotonicClock}, comparable only with readings of the same clock.
 *
 * @param nanos since an arbitrary origin; may be negative, may overflow
 */
public record MonotonicTime(long nanos) {

    /** Returns the time from {@code earlier} to this reading; negative if this one is earlier. */
    public Duration since(MonotonicTime earlier) {
        return Duration.ofNanos(nanos - earlier.nanos);
    }

    /** Returns the reading {@code duration} later. */
    public MonotonicTime plus(Duration duration) {
        return new MonotonicTime(nanos + duration.toNanos());
    }

    /** Returns whether this reading is before {@code other}. */
    public boolean isBefore(MonotonicTime other) {
        return nanos - other.nanos < 0;
    }
}
