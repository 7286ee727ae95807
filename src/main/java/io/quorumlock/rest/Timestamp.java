// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.rest;

import java.time.Instant;

/** Text for instants of the wall clock, in UTC and with milliseconds (RFC 3339). Formats each second only once. */
final class Timestamp {
    private static volatile Second last = new Second(0);

    private record Second(long epoch, String text) {
        Second(long epoch) {
            this(epoch, withoutZone(Instant.ofEpochSecond(epoch).toString()));
        }

        private static String withoutZone(String text) {
            return text.substring(0, text.length() - 1);
        }
    }

    private Timestamp() {}

    static String of(Instant instant) {
        Second second = last;
        if (second.epoch != instant.getEpochSecond()) {
            second = new Second(instant.getEpochSecond());
            last = second;
        }
        int millis = instant.getNano() / 1_000_000;
        return second.text + (millis < 10 ? ".00" : millis < 100 ? ".0" : ".") + millis + "Z";
    }
}
