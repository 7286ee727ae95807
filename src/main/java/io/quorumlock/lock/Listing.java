// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.lock;

import io.quorumlock.lock.Lease.Votes;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The outcome of a listing. It is advisory, because locks may have changed meanwhile. */
public sealed interface Listing extends LockOutcome {

    @Override
    Kind kind();

    /** A kind of outcome. */
    enum Kind {
        PAGE,
        NO_QUORUM,
        BUSY
    }

    /**
     * The locks that a majority of masters reported.
     *
     * @param locks ordered by name; fewer than requested if some ended during the listing
     * @param last the name after which the next page begins; empty on the last page
     */
    record Page(List<HeldLock> locks, Optional<ResourceName> last) implements Listing {
        @Override
        public Kind kind() {
            return Kind.PAGE;
        }
    }

    /** No decision: too few masters listed all their locks in time. */
    record NoQuorum(NoQuorumReason why) implements Listing {
        @Override
        public Kind kind() {
            return Kind.NO_QUORUM;
        }
    }

    /** Rejected: the maximum number of concurrent listings is reached (R14). */
    record Busy(int most) implements Listing {
        @Override
        public Kind kind() {
            return Kind.BUSY;
        }
    }

    /**
     * A held lock in a listing, without its token.
     *
     * @param since the time of the acquire by the clocks of the masters, for display only
     * @param remaining remaining time on a majority; for a partial lock, the longest on any master
     * @param kept whether the lease was released, and nobody can acquire the resource for the remaining time
     * @param votes the masters that have the lock
     */
    record HeldLock(
            ResourceName resource,
            Optional<Owner> owner,
            Optional<Instant> since,
            int extensions,
            Duration remaining,
            Optional<FencingToken> fence,
            boolean kept,
            Votes votes) {

        /**
         * Returns whether only a minority has the lock: it is being acquired or released, or it remains from a failed
         * attempt.
         */
        public boolean isPartial() {
            return votes.granted() < votes.required();
        }
    }
}
