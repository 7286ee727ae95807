package io.quorumlock.time;

/** Measures durations: never steps, tells no time of day (R4). */
@FunctionalInterface
public interface MonotonicClock {

    /** Reads the clock. */
    Moment now();
}
