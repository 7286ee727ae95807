package io.quorumlock.events;

import io.quorumlock.lock.FencingToken;
import io.quorumlock.lock.Owner;
import io.quorumlock.lock.ResourceName;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Is what happened to a lock, as far as this replica heard: advisory, and without its token.
 *
 * @param left for how long the lock stands after it; zero where it ended
 * @param at by this replica's wall clock
 */
public record LockEvent(
        Kind kind, ResourceName resource, Optional<Owner> owner, FencingToken fence, Duration left, Instant at) {

    /** Is what can happen to a lock. */
    public enum Kind {
        ACQUIRED,
        EXTENDED,
        RELEASED,
        /** Concluded, not announced: its time was over and nothing else was heard. */
        EXPIRED,
        BROKEN
    }
}
