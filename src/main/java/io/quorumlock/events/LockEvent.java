package io.quorumlock.events;

import io.quorumlock.lock.FencingToken;
import io.quorumlock.lock.Owner;
import io.quorumlock.lock.ResourceName;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A lock event as this replica knows it. It is advisory and does not contain the token.
 *
 * @param left remaining time of the lock after the event; zero if the lock ended
 * @param at time by this replica's wall clock
 */
public record LockEvent(
        Kind kind, ResourceName resource, Optional<Owner> owner, FencingToken fence, Duration left, Instant at) {

    /** The kind of event. */
    public enum Kind {
        ACQUIRED,
        EXTENDED,
        RELEASED,
        /** Derived from the time, not announced: the lock has expired, and no other event ended it. */
        EXPIRED,
        BROKEN
    }
}
