package io.quorumlock.lock;

import java.time.Duration;
import java.util.Optional;

/**
 * A held lock in a listing, without its token.
 *
 * @param remaining remaining time on a majority; for a partial lock, the longest on any node
 * @param votes the nodes that have the lock
 */
public record HeldLock(
        ResourceName resource, Optional<Owner> owner, Duration remaining, Optional<FencingToken> fence, Votes votes) {

    /**
     * Returns whether only a minority has the lock: it is being acquired or released, or it remains from a failed
     * attempt.
     */
    public boolean isPartial() {
        return votes.granted() < votes.required();
    }
}
