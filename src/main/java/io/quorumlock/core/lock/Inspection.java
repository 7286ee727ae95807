// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.core.lock;

import io.quorumlock.core.lock.Lease.Votes;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
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
     * The resource is held on a majority of masters.
     *
     * @param holders at least one and at most {@link #MOST_SHOWN}: those of a majority, first clients, then places that are
     *     kept, each with the longest remaining time first; then those that are not confirmed
     * @param holderCount number of all holders
     * @param votes for the first holder
     */
    record Held(List<HolderState> holders, int holderCount, LockKind lockKind, Votes votes) implements Inspection {
        private static final int MOST_SHOWN = 100;

        /** Returns the state of a resource that these have, of whom the first ones are shown. */
        public static Held of(List<HolderState> all, LockKind lockKind, Votes votes) {
            return new Held(all.stream().limit(MOST_SHOWN).toList(), all.size(), lockKind, votes);
        }

        public HolderState first() {
            return holders.get(0);
        }

        @Override
        public Kind kind() {
            return Kind.HELD;
        }
    }

    /**
     * One holder of a resource.
     *
     * @param owner of a kept resource, the one who released it
     * @param slot of a semaphore
     * @param since the time of the acquire, for display only; empty if it is not known, or if another program holds the
     *     resource
     * @param extensions 0 if another program holds the resource
     * @param fence empty if another program holds the resource
     * @param kept whether the lease was released, and nobody can acquire the resource for the remaining time
     * @param unconfirmed why it is not known whether the holder has a majority; empty if it is known
     * @param names all resources of the lease; empty for one, or if they are too long to be stored
     */
    record HolderState(
            Optional<Owner> owner,
            Optional<Integer> slot,
            Optional<Instant> since,
            int extensions,
            Duration remaining,
            Optional<FencingToken> fence,
            boolean kept,
            Optional<NoQuorumReason> unconfirmed,
            List<ResourceName> names) {}

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
