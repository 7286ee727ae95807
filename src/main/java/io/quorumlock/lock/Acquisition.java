// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.lock;

import java.time.Duration;
import java.util.Optional;

/** The outcome of an acquire. */
public sealed interface Acquisition extends LockOutcome {

    @Override
    Kind kind();

    /** A kind of outcome. */
    enum Kind {
        ACQUIRED,
        REPLAYED,
        HELD,
        TOKEN_IN_USE,
        TOO_SHORT,
        NO_QUORUM,
        TOO_MANY_WAITERS,
        SHUTTING_DOWN
    }

    /** Returns the lease that the caller now holds. */
    default Optional<Lease> granted() {
        return switch (kind()) {
            case ACQUIRED -> Optional.of(((Acquired) this).lease());
            case REPLAYED -> Optional.of(((Replayed) this).lease());
            case HELD, TOKEN_IN_USE, TOO_SHORT, NO_QUORUM, TOO_MANY_WAITERS, SHUTTING_DOWN -> Optional.empty();
        };
    }

    /** A quorum granted the lease for the first time. */
    record Acquired(Lease lease) implements Acquisition {
        @Override
        public Kind kind() {
            return Kind.ACQUIRED;
        }
    }

    /** A quorum granted the same lease to this token earlier. The validity is the remaining one. */
    record Replayed(Lease lease) implements Acquisition {
        @Override
        public Kind kind() {
            return Kind.REPLAYED;
        }
    }

    /**
     * Another client holds the lock, or several contend for it.
     *
     * @param remaining time until a majority can be free again, computed from the replies of the masters
     * @param holder the token of the lease that most masters named; empty if none did, or if another program wrote the
     *     value. For comparison only: it must not be shown
     * @param split whether several clients won votes, so that none may have a majority
     * @param waited how long the caller waited for the lock
     */
    record Held(Duration remaining, Optional<Owner> owner, Optional<LeaseToken> holder, boolean split, Duration waited)
            implements Acquisition {

        /** Creates the outcome for a caller that did not wait. */
        public Held(Duration remaining, Optional<Owner> owner) {
            this(remaining, owner, Optional.empty(), false, Duration.ZERO);
        }

        /** Returns the outcome for a caller that waited this long without success. */
        public Held after(Duration wait) {
            return new Held(remaining, owner, holder, split, wait);
        }

        @Override
        public Kind kind() {
            return Kind.HELD;
        }
    }

    /** No attempt was made, because the wait queue is full. */
    record TooManyWaiters() implements Acquisition {
        @Override
        public Kind kind() {
            return Kind.TOO_MANY_WAITERS;
        }
    }

    /** The wait ended because this replica is shutting down. */
    record ShuttingDown() implements Acquisition {
        @Override
        public Kind kind() {
            return Kind.SHUTTING_DOWN;
        }
    }

    /** The client's token is in use on this resource with another TTL or owner. */
    record TokenInUse() implements Acquisition {
        @Override
        public Kind kind() {
            return Kind.TOKEN_IN_USE;
        }
    }

    /**
     * A quorum granted the lease, but with less validity than the client needs. The lease was given up at once.
     *
     * @param wasHeld whether it was an earlier lease of the same token, which is then deleted
     */
    record TooShort(ValidityShortage shortage, boolean wasHeld, NoQuorumReason why) implements Acquisition {
        @Override
        public Kind kind() {
            return Kind.TOO_SHORT;
        }
    }

    /** No decision: too few masters answered, or no validity was left then. The values of the attempt are deleted. */
    record NoQuorum(NoQuorumReason why) implements Acquisition {
        @Override
        public Kind kind() {
            return Kind.NO_QUORUM;
        }
    }

    /**
     * The shortage of a lease with less remaining validity than its client needs.
     *
     * @param asked the least validity that the client needs
     * @param left the validity at the decision, zero or more
     */
    record ValidityShortage(Duration asked, Duration left) {
        /** Returns the shortage, or empty if enough validity is left. */
        public static Optional<ValidityShortage> of(Duration asked, Duration validity) {
            Duration left = validity.isNegative() ? Duration.ZERO : validity;
            return left.compareTo(asked) < 0 ? Optional.of(new ValidityShortage(asked, left)) : Optional.empty();
        }
    }
}
