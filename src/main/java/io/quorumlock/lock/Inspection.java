// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.lock;

import io.quorumlock.lock.Lease.Votes;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The state of a resource according to a quorum. It is advisory, because it may have changed meanwhile. Never contains
 * the token.
 */
public sealed interface Inspection extends LockOutcome {

    @Override
    Kind kind();

    /** A kind of outcome. */
    enum Kind {
        HELD,
        FREE,
        NO_QUORUM
    }

    /**
     * The resource is held on a majority of masters. Of several holders, this is the one whose lease ends last.
     *
     * @param since the time of the acquire by the clocks of the masters, for display only; empty if it is not known, if another
     *     program holds the resource, or if it is kept
     * @param extensions 0 if another program holds the resource
     * @param fence empty if another program holds the resource
     * @param kept whether the lease was released, and nobody can acquire the resource for the remaining time
     * @param holders number of holders of a majority; one for an exclusive lock
     */
    record Held(
            Optional<Owner> owner,
            Optional<Instant> since,
            int extensions,
            Duration remaining,
            Optional<FencingToken> fence,
            boolean kept,
            LockKind lockKind,
            int holders,
            Votes votes)
            implements Inspection {
        @Override
        public Kind kind() {
            return Kind.HELD;
        }
    }

    /** The resource is free. */
    record Free() implements Inspection {
        @Override
        public Kind kind() {
            return Kind.FREE;
        }
    }

    /** No decision: too few masters answered. */
    record NoQuorum(NoQuorumReason why) implements Inspection {
        @Override
        public Kind kind() {
            return Kind.NO_QUORUM;
        }
    }
}
