// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.waiting;

import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.Acquisition.Held;
import io.quorumlock.lock.LeaseToken;
import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * The number of times that one replica may hand a lock over among its own waiters before other replicas may contend:
 * once to each client that waited here when the replica won the lock, up to a maximum. This follows "Lock Cohorting"
 * (Dice, Marathe, Shavit, PPoPP 2012). It reduces contention, because replicas contend only for a few of the grants.
 */
final class HandOverBudget {
    private static final int MAX_HAND_OVERS = 16;

    /** The number of attempts with a random delay. A replica that lost more often contends at once. */
    private static final int MAX_DELAYED_ATTEMPTS = 4;

    private static final int MAX_DELAY_MILLIS = 2;

    /** The delay of a replica that lets others go first: time for them to receive the announcement and to acquire. */
    private static final Duration YIELD_DELAY = Duration.ofMillis(5);

    private final RandomGenerator random;
    private int attempts;
    private int left;
    private boolean lastGrantHere;
    private Optional<LeaseToken> granted = Optional.empty();
    private boolean contended;
    private boolean yielded;

    HandOverBudget(RandomGenerator random) {
        this.random = random;
    }

    /**
     * Returns the delay before an attempt for a lock that is free for all replicas. A replica without a remaining
     * budget lets others go first. The others wait for a random delay, so that their distance to the nodes does not
     * decide.
     */
    Duration delayBeforeContending() {
        if (lastGrantHere && left == 0 && contended) {
            return yieldDelay();
        }
        return ++attempts > MAX_DELAYED_ATTEMPTS
                ? Duration.ZERO
                : Duration.ofMillis(random.nextInt(MAX_DELAY_MILLIS + 1));
    }

    /** Returns the delay of a replica that has just released the lock and knows of waiters at other replicas. */
    Duration yieldDelay() {
        contended = true;
        yielded = true;
        return YIELD_DELAY;
    }

    /** @param waiting number of waiters here now */
    void won(LeaseToken lease, int waiting) {
        granted = Optional.of(lease);
        if (isLeft()) {
            left--;
        } else {
            left = Math.min(MAX_HAND_OVERS, waiting);
            attempts = 0;
        }
        contended &= !yielded;
        yielded = false;
        lastGrantHere = true;
    }

    /** Notes a refusal. Another replica has the lock, unless the holder is still the lease that was granted here. */
    void refused(Acquisition outcome) {
        if (outcome instanceof Held held && granted.isPresent() && held.holder().equals(granted)) {
            return;
        }
        left = 0;
        lastGrantHere = false;
        contended = true;
        yielded = false;
    }

    /** Returns whether the lock may be handed over to the next waiter here. */
    boolean isLeft() {
        return left > 0;
    }

    /** Returns whether a lease that is granted now may be handed over at least once. */
    boolean allowsHandOverAfterGrant(int others) {
        return others > 0 && left != 1;
    }

    /** Returns whether the last known grant was to a client of this replica. */
    boolean isLastGrantHere() {
        return lastGrantHere;
    }
}
