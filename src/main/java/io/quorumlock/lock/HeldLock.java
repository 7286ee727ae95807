package io.quorumlock.lock;

import java.time.Duration;
import java.util.Optional;

/**
 * Is a lock as a directory shows it: without its token.
 *
 * @param remaining for how long a majority keeps it; where it is partial, the longest that any node does
 * @param votes the nodes that said it stands
 */
public record HeldLock(
        ResourceName resource, Optional<Owner> owner, Duration remaining, Optional<FencingToken> fence, Votes votes) {

    /** Says whether only a minority knows it: a lease in the making or on its way out, or what a failure left. */
    public boolean isPartial() {
        return votes.granted() < votes.required();
    }
}
