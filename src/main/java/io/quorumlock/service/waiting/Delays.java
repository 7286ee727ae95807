// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.service.waiting;

import io.quorumlock.core.lock.AcquireTerms;
import io.quorumlock.core.lock.Acquisition.Held;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.loop.Backoff;
import io.quorumlock.core.loop.Durations;
import java.time.Duration;
import java.util.function.IntSupplier;
import java.util.random.RandomGenerator;

/**
 * The delays before the next attempt of a queue. While the lock is held, the delay limits the effect of lost
 * announcements (R12). Other Redlock clients do not announce releases. If they hold the lock, the queue polls, and more
 * often if the holder changes often.
 */
final class Delays {
    /** For announcements of fewer masters than a majority. Those of the other masters may arrive soon or never. */
    static final Duration AFTER_FEW_ANNOUNCEMENTS = Duration.ofMillis(10);

    /** While all releases are announced: only another program can have freed the lock. */
    private static final Duration LONGEST_SLEEP = Duration.ofSeconds(30);

    private static final Duration MILLISECOND = Duration.ofMillis(1);
    private static final Duration FIRST_POLL = Duration.ofMillis(50);
    private static final Duration SHORTEST_POLL = Duration.ofMillis(10);
    private static final Duration LONGEST_POLL = Duration.ofMillis(500);

    /** Redis returns remaining times in milliseconds, and replies take different times. */
    private static final Duration TOLERANCE = Duration.ofMillis(5);

    private final RandomGenerator random;
    private final IntSupplier queues;
    private final Backoff afterSplit;
    private final Backoff afterNoQuorum;
    private Duration pollCeiling = FIRST_POLL;

    /** @param queues number of queues of this replica, which share its capacity for attempts without an announcement */
    Delays(RandomGenerator random, IntSupplier queues) {
        this.random = random;
        this.queues = queues;
        this.afterSplit = new Backoff(Duration.ofMillis(2), Duration.ofMillis(100), random);
        this.afterNoQuorum = new Backoff(Duration.ofMillis(50), Duration.ofSeconds(1), random);
    }

    /** For a split vote: several clients won votes, and none won a majority. */
    Backoff afterSplit() {
        return afterSplit;
    }

    Duration afterNoQuorum() {
        return Durations.max(afterNoQuorum.next(), halfToWhole(forAllQueues()));
    }

    /** Returns how long an attempt keeps new readers out of a shared lock: longer than until the next one, however late. */
    Duration reservation() {
        return Durations.max(
                AcquireTerms.USUAL_RESERVATION, forAllQueues().multipliedBy(4).dividedBy(3));
    }

    /** Returns a delay after which a majority announces releases again. */
    Duration afterGap() {
        return Duration.ofNanos(random.nextLong(forAllQueues().toNanos() + 1));
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

    /**
     * @param expected the remaining time of the lock if it did not change hands since the last attempt
     * @param announced whether all releases are announced
     */
    Duration whileHeld(Held held, Duration expected, boolean announced) {
        if (held.holder().isEmpty() && !held.kept()) {
            return Durations.min(whileUnannounced(held.remaining(), expected), held.remaining())
                    .plus(MILLISECOND);
        }
        Duration poll = poll(announced);
        return whileLeased(held.remaining(), held.first().shared() ? Durations.min(poll, whileReserved()) : poll);
    }

    /** Returns a delay that is shorter than a reservation, by a quarter at least. */
    Duration whileReserved() {
        return halfToWhole(reservation().multipliedBy(3).dividedBy(4));
    }

    /** Returns the delay after a grant: zero if the next waiter may hold the lock at the same time. */
    Duration afterGrant(LockKind kind, Duration remaining, boolean announced) {
        return kind.isExclusive() ? whileLeased(remaining, poll(announced)) : Duration.ZERO;
    }

    /** @param announced whether all releases are announced */
    Duration poll(boolean announced) {
        return poll(announced ? LONGEST_SLEEP : LONGEST_POLL);
    }

    /** Returns the delay for a lease of this service. No attempt should be in progress when the lease ends. */
    private static Duration whileLeased(Duration remaining, Duration poll) {
        return (remaining.compareTo(poll.plus(LONGEST_POLL)) > 0 ? poll : remaining).plus(MILLISECOND);
    }

    private Duration whileUnannounced(Duration remaining, Duration expected) {
        boolean changed = remaining.compareTo(expected.plus(TOLERANCE)) > 0;
        pollCeiling = changed
                ? Durations.max(pollCeiling.dividedBy(2), SHORTEST_POLL)
                : Durations.min(pollCeiling.multipliedBy(2), LONGEST_POLL);
        return poll(pollCeiling);
    }

    private Duration poll(Duration ceiling) {
        return halfToWhole(Durations.max(ceiling, forAllQueues()));
    }

    /** Returns the time in which all queues can make one attempt each: a thousand a second. */
    private Duration forAllQueues() {
        return MILLISECOND.multipliedBy(queues.getAsInt());
    }

    private Duration halfToWhole(Duration ceiling) {
        long most = ceiling.toNanos();
        return Duration.ofNanos(most / 2 + random.nextLong(most / 2 + 1));
    }
}
