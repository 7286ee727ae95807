package io.quorumlock.waiting;

import io.quorumlock.time.Backoff;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long a queue waits before it looks again, by what happened.
 *
 * @param afterSplit several won votes, and nobody a majority
 * @param afterNoQuorum no majority answered
 * @param afterFewHints announcements of fewer than a majority: those of the other nodes are on their way, or never come
 */
record Delays(Backoff afterSplit, Backoff afterNoQuorum, Backoff afterFewHints) {

    Delays(RandomGenerator chance) {
        this(
                new Backoff(Duration.ofMillis(2), Duration.ofMillis(100), chance),
                new Backoff(Duration.ofMillis(50), Duration.ofSeconds(1), chance),
                new Backoff(Duration.ofMillis(10), Duration.ofSeconds(1), chance));
    }

    /** Starts again from the shortest, after a grant. */
    void reset() {
        afterSplit.reset();
        afterNoQuorum.reset();
        afterFewHints.reset();
    }
}
