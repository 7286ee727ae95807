package io.quorumlock.waiting;

import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.Acquisition.Held;
import io.quorumlock.lock.LeaseToken;
import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Counts how often a lock may go from hand to hand on one replica before others may contend for it: once to each who waited
 * here when it was won, within bounds, as in "Lock Cohorting" (Dice, Marathe, Shavit, PPoPP 2012). So replicas fight over one
 * grant in many, and each serves as many in a row as wait there.
 */
final class HandOverBudget {
    private static final int MOST_IN_A_ROW = 16;

    /** Who came away empty so often tries at once. */
    private static final int COURTEOUS = 4;

    private static final int MOST_COURTESY_MILLIS = 2;

    /** Enough to hear of a release and to acquire; nobody else may have come by then. */
    private static final Duration LET_OTHERS_TRY = Duration.ofMillis(5);

    private final RandomGenerator random;
    private int missed;
    private int left;
    private boolean here;
    private Optional<LeaseToken> granted = Optional.empty();
    private boolean rivals;
    private boolean heldBack;

    HandOverBudget(RandomGenerator random) {
        this.random = random;
    }

    /**
     * Returns how long to hold back when anybody may have the lock. A replica whose turn is over lets others go first. Between
     * those chance decides, and not their distance to the nodes.
     */
    Duration courtesy() {
        if (isOver() && rivals) {
            return holdBack();
        }
        return ++missed > COURTEOUS ? Duration.ZERO : Duration.ofMillis(random.nextInt(MOST_COURTESY_MILLIS + 1));
    }

    /** Returns how long a replica holds back that just released the lock, and knows of others who wait for it. */
    Duration holdBack() {
        rivals = true;
        heldBack = true;
        return LET_OTHERS_TRY;
    }

    /** @param waiting how many wait here now */
    void won(LeaseToken lease, int waiting) {
        granted = Optional.of(lease);
        if (any()) {
            left--;
        } else {
            left = Math.min(MOST_IN_A_ROW, waiting);
            missed = 0;
        }
        rivals &= !heldBack;
        heldBack = false;
        here = true;
    }

    /** Notes a refusal: another replica has the lock, unless it is still the lease that was granted here. */
    void refused(Acquisition outcome) {
        if (outcome instanceof Held held && granted.isPresent() && held.holder().equals(granted)) {
            return;
        }
        left = 0;
        here = false;
        rivals = true;
        heldBack = false;
    }

    /** Returns whether the next one here may have the lock before all others. */
    boolean any() {
        return left > 0;
    }

    /** Returns whether the lock, if it is won now, is to stay here for one more grant at least. */
    boolean wouldGoOn(int others) {
        return others > 0 && left != 1;
    }

    /** Returns whether the last grant that is known of was won here. */
    boolean isHere() {
        return here;
    }

    private boolean isOver() {
        return here && left == 0;
    }
}
