// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimeFormatTest {
    private static final DateTimeFormatter MILLISECONDS =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

    /** Twice, because the second may be that of the last call. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "1970-01-01T00:00:00Z",
                "2026-11-23T17:59:59.999999999Z",
                "2026-11-23T18:00:00Z",
                "2026-11-23T18:00:00.007Z",
                "2026-11-23T18:00:00.070999Z",
                "2024-02-29T23:59:59.1Z"
            })
    void formatsLikeStandardFormatter(String text) {
        Instant instant = Instant.parse(text);
        assertEquals(MILLISECONDS.format(instant), TimeFormat.timestamp(instant));
        assertEquals(MILLISECONDS.format(instant.plusMillis(1)), TimeFormat.timestamp(instant.plusMillis(1)));
        assertEquals(MILLISECONDS.format(instant), TimeFormat.timestamp(instant));
    }
}
