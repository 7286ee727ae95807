// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.core.lock;

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

    /**
     * No decision: too few masters listed all their locks in time.
     *
     * @param known the locks of the page that the masters which did so have, or that this replica knows from before
     */
    record NoQuorum(NoQuorumReason why, List<HeldLock> known) implements Listing {
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
     * A held lock in a listing.
     *
     * @param state the remaining time of a partial lock is the longest on any master
     */
    record HeldLock(ResourceName resource, Inspection.Held state) {

        /**
         * Returns whether only a minority has the lock: it is being acquired or released, or it remains from a failed
         * attempt.
         */
        public boolean isPartial() {
            return state.votes().granted() < state.votes().required();
        }
    }
}
