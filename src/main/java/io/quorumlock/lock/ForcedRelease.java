// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.lock;

import java.time.Duration;
import java.util.Optional;

/** The outcome of a forced release. */
public sealed interface ForcedRelease {

    /** Returns the result of the function for this kind of outcome. */
    <R> R fold(Cases<R> cases);

    /**
     * One function for each kind of outcome.
     *
     * @param <R> the result
     */
    interface Cases<R> {
        R broken(Broken outcome);

        R free(Free outcome);

        R leftAlone(LeftAlone outcome);

        R unconfirmed(Unconfirmed outcome);

        R noQuorum(NoQuorum outcome);
    }

    /** The lock was deleted, and a quorum no longer has it. */
    record Broken(Optional<Owner> owner) implements ForcedRelease {
        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.broken(this);
        }
    }

    /** The resource was free. */
    record Free() implements ForcedRelease {
        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.free(this);
        }
    }

    /** Nothing was deleted, because the lock is not the one to break. */
    record LeftAlone(Reason reason) implements ForcedRelease {
        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.leftAlone(this);
        }
    }

    /**
     * Fewer nodes than a quorum confirmed the deletion, or none of the nodes with the lock did. The deletion is retried
     * in the background, and the caller may repeat it.
     *
     * @param remaining time until the lease expires, unless its holder extends it
     */
    record Unconfirmed(NoQuorumReason why, Optional<Owner> owner, Duration remaining) implements ForcedRelease {
        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.unconfirmed(this);
        }
    }

    /** No decision and no change: too few nodes answered to determine the holder. */
    record NoQuorum(NoQuorumReason why) implements ForcedRelease {
        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.noQuorum(this);
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
