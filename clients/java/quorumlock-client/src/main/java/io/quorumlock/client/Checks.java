// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.client;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** The checks of what the caller passes. Each throws {@link RefusedException} with status 0. */
final class Checks {
    private Checks() {}

    static void require(boolean condition, String message) {
        if (!condition) {
            throw new RefusedException(0, null, message, message);
        }
    }

    static <T> T given(String option, T value) {
        require(value != null, option + " must not be null");
        return value;
    }

    /** Returns the milliseconds of an option. */
    static long notNegative(String option, Duration value) {
        require(!value.isNegative(), option + " must not be negative");
        return TimeUnit.MILLISECONDS.convert(value);
    }

    /** Returns the milliseconds of an option. */
    static long positive(String option, Duration value) {
        long ms = TimeUnit.MILLISECONDS.convert(value);
        require(ms > 0, option + " must be at least 1 ms");
        return ms;
    }
}
