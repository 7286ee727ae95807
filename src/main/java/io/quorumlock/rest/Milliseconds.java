// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.rest;

import java.time.Duration;

/** The rounding of durations to whole units, upwards, so that no lock seems to end before it does. */
final class Milliseconds {
    private static final long NANOS_PER_MILLI = 1_000_000;

    private Milliseconds() {}

    static long millis(Duration duration) {
        return Math.max(0, Math.floorDiv(duration.toNanos() + NANOS_PER_MILLI - 1, NANOS_PER_MILLI));
    }

    static long seconds(Duration duration) {
        return Math.floorDiv(millis(duration) + 999, 1000);
    }
}
