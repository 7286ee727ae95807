package io.quorumlock.lock;

import java.time.Duration;
import java.util.Optional;

/** Is how a forced release ended. */
public sealed interface ForcedRelease {

    /** Deleted, and a quorum no longer has it. */
    record Broken(Optional<Owner> owner) implements ForcedRelease {}

    /** Nothing to delete: nobody holds the resource. */
    record Free() implements ForcedRelease {}

    /** Left alone: what stands is not what was to be broken. */
    record LeftAlone(Reason reason) implements ForcedRelease {}

    /**
     * Confirmed by fewer nodes than a quorum. It is repeated in the background and safe to repeat by the caller.
     *
     * @param remaining after which the lease has ended by itself, unless its holder extends it
     */
    record Unconfirmed(NoQuorumReason why, Optional<Owner> owner, Duration remaining) implements ForcedRelease {}

    /** Undecided, and nothing touched: too few nodes could tell who holds the resource. */
    record NoQuorum(NoQuorumReason why) implements ForcedRelease {}

    /** Tells why a lock was left alone. */
    enum Reason {
        /** Another program wrote it: under an empty prefix it may be anything. */
        NOT_OURS,
        /** The lease ended, and another began, while it was being broken. */
        CHANGED_HANDS
    }
}
