// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.settings;

import io.quarkus.runtime.configuration.DurationConverter;
import java.time.Duration;
import org.eclipse.microprofile.config.spi.Converter;

/** The converter of durations. Rejects bare numbers: the framework reads them as seconds, many people write milliseconds. */
public final class DurationWithUnit implements Converter<Duration> {
    private static final long serialVersionUID = 1;

    @Override
    public Duration convert(String value) {
        String text = value.strip();
        if (text.matches("\\d*[1-9]\\d*")) {
            throw new IllegalArgumentException("a number without a unit; write " + withUnit(text));
        }
        try {
            return DurationConverter.parseDuration(text);
        } catch (IllegalArgumentException invalid) {
            throw new IllegalArgumentException("not a duration; write a number with a unit: 500ms, 30s, 2m or 1h");
        }
    }

    /** Returns what the number may mean. Thousands are milliseconds. */
    private static String withUnit(String number) {
        return number.endsWith("000")
                ? number.substring(0, number.length() - 3) + "s or " + number + "ms"
                : number + "s or " + number + "ms";
    }
}
