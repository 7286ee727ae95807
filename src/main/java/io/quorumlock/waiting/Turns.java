package io.quorumlock.waiting;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Counts how often a lock may go from hand to hand on one replica before others may contend for it: once to each who waited
 * here when it was won, within bounds, as in "Lock Cohorting" (Dice, Marathe, Shavit, PPoPP 2012). So replicas fight over one
 * grant in many, and each serves as many in a row as wait there.
 */
final class Turns {
    private static final int MOST_IN_A_ROW = 16;

    /** Who came away empty so often tries at once. */
    private static final int COURTEOUS = 4;

    private static final int MOST_COURTESY_MILLIS = 2;

    private final RandomGenerator chance;
    private int missed;
    private int left;
    private boolean passedOn;
    private boolean here;

    Turns(RandomGenerator chance) {
        this.chance = chance;
    }

    /** Tells how long to hold back when anybody may have the lock: chance decides between replicas, not their distance to the nodes. */
    Duration courtesy() {
        return ++missed > COURTEOUS ? Duration.ZERO : Duration.ofMillis(chance.nextInt(MOST_COURTESY_MILLIS + 1));
    }

    /** @param waiting how many wait here now */
    void won(int waiting) {
        if (!passedOn) {
            left = Math.min(MOST_IN_A_ROW, waiting);
            missed = 0;
        }
        passedOn = false;
        here = true;
    }

    /** Notes that another replica has the lock. */
    void lost() {
        left = 0;
        passedOn = false;
        here = false;
    }

    /** Notes that the lock was released in favour of the next one here. */
    void pass() {
        left--;
        passedOn = true;
    }

    /** Says whether the next one here may have the lock before all others. */
    boolean any() {
        return left > 0;
    }

    /** Says whether the last grant that is known of was won here. */
    boolean isHere() {
        return here;
    }
}
