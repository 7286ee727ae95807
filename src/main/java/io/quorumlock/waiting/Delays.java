// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.waiting;

import io.quorumlock.lock.Acquisition.Held;
import io.quorumlock.lock.LockKind;
import io.quorumlock.time.Backoff;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * The delays before the next attempt of a queue. While the lock is held, the delay limits the effect of lost
 * announcements (R12). Other Redlock clients do not announce releases. If they hold the lock, the queue polls, and more
 * often if the holder changes often.
 */
final class Delays {
    /** For announcements of fewer masters than a majority. Those of the other masters may arrive soon or never. */
    static final Duration AFTER_FEW_ANNOUNCEMENTS = Duration.ofMillis(10);

    private static final Duration MILLISECOND = Duration.ofMillis(1);
    private static final Duration FIRST_POLL = Duration.ofMillis(50);
    private static final Duration SHORTEST_POLL = Duration.ofMillis(10);
    private static final Duration LONGEST_POLL = Duration.ofMillis(500);

    /** Redis returns remaining times in milliseconds, and replies take different times. */
    private static final Duration TOLERANCE = Duration.ofMillis(5);

    private final RandomGenerator random;
    private final Backoff afterSplit;
    private final Backoff afterNoQuorum;
    private Duration pollCeiling = FIRST_POLL;

    Delays(RandomGenerator random) {
        this.random = random;
        this.afterSplit = new Backoff(Duration.ofMillis(2), Duration.ofMillis(100), random);
        this.afterNoQuorum = new Backoff(Duration.ofMillis(50), Duration.ofSeconds(1), random);
    }

    /** For a split vote: several clients won votes, and none won a majority. */
    Backoff afterSplit() {
        return afterSplit;
    }

    Backoff afterNoQuorum() {
        return afterNoQuorum;
    }

    /** Restarts with the shortest delays, after a grant. */
    void reset() {
        holderKnown();
        pollCeiling = FIRST_POLL;
    }

    /** Ends a series of attempts without a holder. */
    void holderKnown() {
        afterSplit.reset();
        afterNoQuorum.reset();
    }

    /** @param expected the remaining time of the lock if it did not change hands since the last attempt */
    Duration whileHeld(Held held, Duration expected) {
        return held.holder().isPresent()
                ? whileLeased(held.remaining())
                : whileUnannounced(held.remaining(), expected).plus(MILLISECOND);
    }

    /** Returns the delay after a grant: zero if the next waiter may hold the lock at the same time. */
    Duration afterGrant(LockKind kind, Duration remaining) {
        return kind.isExclusive() ? whileLeased(remaining) : Duration.ZERO;
    }

    /** Returns the delay for a lease of this service. No attempt should be in progress when the lease ends. */
    Duration whileLeased(Duration remaining) {
        Duration next =
                LONGEST_POLL.minus(LONGEST_POLL.multipliedBy(random.nextInt(20)).dividedBy(100));
        Duration longest = remaining.compareTo(LONGEST_POLL.plus(next)) > 0 ? next : remaining;
        return longest.plus(MILLISECOND);
    }

    private Duration whileUnannounced(Duration remaining, Duration expected) {
        boolean changed = remaining.compareTo(expected.plus(TOLERANCE)) > 0;
        pollCeiling =
                changed ? max(pollCeiling.dividedBy(2), SHORTEST_POLL) : min(pollCeiling.multipliedBy(2), LONGEST_POLL);
        long most = pollCeiling.toNanos();
        return min(Duration.ofNanos(most / 2 + random.nextLong(most / 2 + 1)), remaining);
    }

    private static Duration min(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }

    private static Duration max(Duration a, Duration b) {
        return a.compareTo(b) > 0 ? a : b;
    }
}
