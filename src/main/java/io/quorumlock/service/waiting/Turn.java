// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.service.waiting;

import io.quorumlock.core.lock.Acquisition;
import java.time.Duration;
import java.util.BitSet;
import java.util.random.RandomGenerator;

/**
 * The turn of this replica among those that wait for one lock, as far as it knows from the announcements of releases. The
 * replica that had no lease for the longest time goes first: it is the turn of this replica if, since its last grant, as
 * many leases of others ended as other replicas wait now. Otherwise it lets others go first for a while.
 */
final class Turn {
    /** The longest delay of a replica without a grant yet. It cannot know its turn, and a random delay decides. */
    private static final Duration UNKNOWN = Duration.ofMillis(2);

    /** The shortest time to let others go first. It doubles each time that one of them did. */
    private static final Duration OF_OTHERS = Duration.ofMillis(4);

    private static final int MOST_DOUBLINGS = 4;

    private final int quorum;
    private final RandomGenerator random;
    /** The masters that announced a release since the last attempt began. */
    private final BitSet masters = new BitSet();

    /** The smallest fencing token of the leases that they announced as ended; the largest number if there is none. */
    private long oldest = Long.MAX_VALUE;

    private long ended;
    private long granted;
    private int replicas;
    private int othersServed;
    private int doublings;

    Turn(int quorum, RandomGenerator random) {
        this.quorum = quorum;
        this.random = random;
    }

    /**
     * Notes an announcement, and returns whether a majority of the masters announced a release. Ignores late ones of a
     * lease that is known to be over: they would cause a futile attempt.
     *
     * @param fence the fencing token of the lease that ended
     * @param waitingReplicas number of replicas that wait
     */
    boolean released(int master, long fence, int waitingReplicas) {
        if (fence <= ended) {
            return false;
        }
        oldest = Math.min(oldest, fence);
        replicas = waitingReplicas;
        return released(master);
    }

    /** Notes a release whose fencing token is not known, and returns whether a majority announced one. */
    boolean released(int master) {
        masters.set(master);
        if (masters.cardinality() < quorum) {
            return false;
        }
        // A release without a token is one of a reader or a slot, or of another program: others were served.
        othersServed += oldest == granted ? 0 : 1;
        if (oldest != Long.MAX_VALUE) {
            ended = oldest;
        }
        forget();
        return true;
    }

    /** Returns whether some masters announced a release, but no majority yet. */
    boolean isPartlyAnnounced() {
        return !masters.isEmpty();
    }

    /** Forgets what single masters announced: the attempt asks all of them. */
    void attemptStarted() {
        forget();
        replicas = 0;
    }

    private void forget() {
        masters.clear();
        oldest = Long.MAX_VALUE;
    }

    /** @param outOfTurn whether the attempt began after {@link #delay} */
    void attemptEnded(boolean outOfTurn, Acquisition outcome) {
        if (outOfTurn) {
            doublings = outcome instanceof Acquisition.Held ? Math.min(doublings + 1, MOST_DOUBLINGS) : 0;
        }
    }

    /** @param fence the fencing token of a lease that was granted here */
    void granted(long fence) {
        granted = fence;
        othersServed = 0;
    }

    /** Returns the delay before an attempt for the released lock; zero if it is the turn of this replica. */
    Duration delay() {
        if (replicas <= 1) {
            return Duration.ZERO;
        }
        if (granted == 0) {
            // The replica of the last holder may wait no longer, so that the others are as many as all that wait.
            return othersServed >= replicas ? Duration.ZERO : Duration.ofNanos(random.nextLong(UNKNOWN.toNanos()));
        }
        long shortest = OF_OTHERS.toNanos() << doublings;
        return othersServed >= replicas - 1 ? Duration.ZERO : Duration.ofNanos(shortest + random.nextLong(shortest));
    }
}
