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
 * @param polls somebody holds the lock
 */
record Delays(Backoff afterSplit, Backoff afterNoQuorum, Backoff afterFewHints, Polls polls) {
    static final Duration MILLISECOND = Duration.ofMillis(1);

    /** A lock that is likely somebody's is looked for all the same: the replica that passed it on may be gone. */
    static final Duration NOW_AND_THEN = Duration.ofMillis(100);

    /** A lock that is changing hands has its new holder by then. */
    static final Duration CHANGES_HANDS = Duration.ofMillis(5);

    Delays(RandomGenerator random) {
        this(
                new Backoff(Duration.ofMillis(2), Duration.ofMillis(100), random),
                new Backoff(Duration.ofMillis(50), Duration.ofSeconds(1), random),
                new Backoff(Duration.ofMillis(10), Duration.ofSeconds(1), random),
                new Polls(random));
    }

    /** Starts again from the shortest, after a grant. */
    void reset() {
        afterSplit.reset();
        afterNoQuorum.reset();
        afterFewHints.reset();
        polls.reset();
    }
}
