// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.core.lock;

import java.time.Duration;
import java.util.Optional;

/** The outcome of a forced release. */
public sealed interface ForcedRelease extends LockOutcome {

    @Override
    Kind kind();

    /** A kind of outcome. */
    enum Kind {
        BROKEN,
        FREE,
        LEFT_ALONE,
        UNCONFIRMED,
        NO_QUORUM
    }

    /** The lock was deleted, and a quorum no longer has it. */
    record Broken(Optional<Owner> owner) implements ForcedRelease {
        @Override
        public Kind kind() {
            return Kind.BROKEN;
        }
    }

    /** The resource was free. */
    record Free() implements ForcedRelease {
        @Override
        public Kind kind() {
            return Kind.FREE;
        }
    }

    /** Nothing was deleted, because the lock is not the one to break. */
    record LeftAlone(Reason reason) implements ForcedRelease {
        @Override
        public Kind kind() {
            return Kind.LEFT_ALONE;
        }
    }

    /**
     * Fewer masters than a quorum confirmed the deletion, or none of the masters with the lock did. The deletion is retried
     * in the background, and the caller may repeat it.
     *
     * @param remaining time until the lease expires, unless its holder extends it
     */
    record Unconfirmed(NoQuorumReason why, Optional<Owner> owner, Duration remaining) implements ForcedRelease {
        @Override
        public Kind kind() {
            return Kind.UNCONFIRMED;
        }
    }

    /** No decision and no change: too few masters answered to determine the holder. */
    record NoQuorum(NoQuorumReason why) implements ForcedRelease {
        @Override
        public Kind kind() {
            return Kind.NO_QUORUM;
        }
    }

    /** The reason why a lock was not deleted. */
    enum Reason {
        /** Another program wrote the value. With an empty lock prefix it may be any data. */
        NOT_OURS,
        /** The lease ended and another one began during the forced release. */
        CHANGED_HANDS
    }
}
