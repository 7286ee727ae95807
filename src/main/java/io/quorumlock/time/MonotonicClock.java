package io.quorumlock.time;

import java.time.Duration;
import java.util.Optional;

/** Measures durations: never steps, tells no time of day (R4). */
@FunctionalInterface
public interface MonotonicClock {

    /** Reads the clock. */
    MonotonicTime now();

    /**
     * Returns for how long this clock has stood still in all because the machine was suspended; empty where that cannot be
     * known.
     */
    default Optional<Duration> suspended() {
        return Optional.empty();
    }
}
