package io.quorumlock.events;

import io.quorumlock.lock.FencingToken;
import io.quorumlock.lock.Owner;
import io.quorumlock.lock.ResourceName;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A lock event as far as this replica knows: advisory, and without the token.
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
        /** Derived and not announced: the time of the lock is over, and there was no other event. */
        EXPIRED,
        BROKEN
    }
}
