// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.time;

import java.time.Duration;
import java.util.Optional;

/** A clock that never steps and has no relation to the time of day (R4). */
@FunctionalInterface
public interface MonotonicClock {

    /** Returns the current reading. */
    MonotonicTime now();

    /** Returns the total time for which this clock stood still because the machine was suspended; empty if unknown. */
    default Optional<Duration> suspended() {
        return Optional.empty();
    }
}
