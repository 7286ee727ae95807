// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import java.time.Duration;
import java.time.Instant;

/** The form of times in answers. Durations are rounded upwards, so that no lock seems to end before it does. */
public final class TimeFormat {
    private static final long NANOS_PER_MILLI = 1_000_000;

    private static volatile Second last = new Second(0);

    /** The text of a second, which most answers share with the one before. */
    private record Second(long epoch, String text) {
        Second(long epoch) {
            this(epoch, Instant.ofEpochSecond(epoch).toString().replace("Z", ""));
        }
    }

    private TimeFormat() {}

    static long millis(Duration duration) {
        return Math.max(0, Math.floorDiv(duration.toNanos() + NANOS_PER_MILLI - 1, NANOS_PER_MILLI));
    }

    static long seconds(Duration duration) {
        return Math.floorDiv(millis(duration) + 999, 1000);
    }

    /** Returns the text of an instant: UTC, always with milliseconds (RFC 3339). */
    public static String timestamp(Instant instant) {
        Second second = last;
        if (second.epoch != instant.getEpochSecond()) {
            second = new Second(instant.getEpochSecond());
            last = second;
        }
        int millis = instant.getNano() / 1_000_000;
        return second.text + (millis < 10 ? ".00" : millis < 100 ? ".0" : ".") + millis + "Z";
    }
}
