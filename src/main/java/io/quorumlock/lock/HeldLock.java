package io.quorumlock.lock;

import java.time.Duration;
import java.util.Optional;

/**
 * A held lock in a listing, without its token.
 *
 * @param remaining how long a majority keeps the lock; of a partial lock, the longest time of any node
 * @param votes the nodes that have the lock
 */
public record HeldLock(
        ResourceName resource, Optional<Owner> owner, Duration remaining, Optional<FencingToken> fence, Votes votes) {

    /**
     * Returns whether only a minority has the lock: it is being acquired or released, or it is a remainder of a
     * failure.
     */
    public boolean isPartial() {
        return votes.granted() < votes.required();
    }
}
