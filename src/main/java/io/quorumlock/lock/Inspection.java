package io.quorumlock.lock;

import java.time.Duration;
import java.util.Optional;

/** Is what a quorum said about a resource: advisory, it may have changed meanwhile. Never carries the token. */
public sealed interface Inspection {

    /**
     * Held by one token on a majority of nodes.
     *
     * @param fence none where another program holds it
     */
    record Held(Optional<Owner> owner, Duration remaining, Optional<FencingToken> fence, Votes votes)
            implements Inspection {}

    /** Held by nobody. */
    record Free() implements Inspection {}

    /** Undecided: too few nodes answered. */
    record NoQuorum(NoQuorumReason why) implements Inspection {}
}
