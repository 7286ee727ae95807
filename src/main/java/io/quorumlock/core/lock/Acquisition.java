// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.core.lock;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
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
        OTHER_SLOTS,
        NO_QUORUM,
        TOO_MANY_WAITERS,
        SHUTTING_DOWN
    }

    /** Returns the lease that the caller now holds. */
    default Optional<Lease> granted() {
        return switch (kind()) {
            case ACQUIRED -> Optional.of(((Acquired) this).lease());
            case REPLAYED -> Optional.of(((Replayed) this).lease());
            case HELD, TOKEN_IN_USE, OTHER_SLOTS, NO_QUORUM, TOO_MANY_WAITERS, SHUTTING_DOWN -> Optional.empty();
        };
    }

    /** Returns a grant for a caller that waited before the attempt; any other outcome as it is. */
    default Acquisition waited(Duration before) {
        return switch (kind()) {
            case ACQUIRED -> new Acquired(((Acquired) this).lease().waited(before));
            case REPLAYED -> new Replayed(((Replayed) this).lease().waited(before));
            case HELD, TOKEN_IN_USE, OTHER_SLOTS, NO_QUORUM, TOO_MANY_WAITERS, SHUTTING_DOWN -> this;
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
     * Another client holds the lock, several contend for it, or it is kept after its release.
     *
     * @param taken the locks that others hold; at least one
     * @param split whether several clients won votes, so that none may have a majority
     * @param waited how long the caller waited for the lock
     */
    record Held(List<Taken> taken, boolean split, Duration waited) implements Acquisition {

        /**
         * A lock that another client holds.
         *
         * @param remaining time until a majority can be free again, computed from the replies of the masters
         * @param holder the token of the lease that most masters named; empty if none did, or if another program wrote the
         *     value. For comparison only: it must not be shown
         * @param kept whether the lease was released, and the lock is kept for the remaining time
         * @param shared whether clients share the lock. A waiting writer keeps new ones out as long as it asks again
         */
        public record Taken(
                ResourceName resource,
                Optional<Owner> owner,
                Duration remaining,
                Optional<LeaseToken> holder,
                boolean kept,
                boolean shared) {}

        /** Creates the outcome for one lock and a caller that did not wait. */
        public Held(ResourceName resource, Optional<Owner> owner, Duration remaining) {
            this(List.of(new Taken(resource, owner, remaining, Optional.empty(), false, false)), false, Duration.ZERO);
        }

        /** Returns the lock whose release a caller waits for. */
        public Taken first() {
            return taken.get(0);
        }

        /** Returns the holder of the first lock. */
        public Optional<LeaseToken> holder() {
            return first().holder();
        }

        /** Returns what concerns only this lock, which is one of them. */
        public Held only(ResourceName resource) {
            List<Taken> one = taken.stream()
                    .filter(lock -> lock.resource().equals(resource))
                    .toList();
            return new Held(one, split, waited);
        }

        /** Returns whether another client holds this lock. */
        public boolean concerns(ResourceName resource) {
            return taken.stream().anyMatch(lock -> lock.resource().equals(resource));
        }

        /** Returns the time until a majority of all the locks can be free. */
        public Duration remaining() {
            return taken.stream()
                    .map(Taken::remaining)
                    .max(Comparator.naturalOrder())
                    .orElseThrow();
        }

        /** Returns whether all the locks were released and are kept, so that no client holds one. */
        public boolean kept() {
            return taken.stream().allMatch(Taken::kept);
        }

        /** Returns the outcome some time later. */
        public Held later(Duration time) {
            List<Taken> then = taken.stream()
                    .map(lock -> new Taken(
                            lock.resource(),
                            lock.owner(),
                            notNegative(lock.remaining().minus(time)),
                            lock.holder(),
                            lock.kept(),
                            lock.shared()))
                    .toList();
            return new Held(then, split, waited);
        }

        /** Returns the outcome for a caller that waited this long without success. */
        public Held after(Duration wait) {
            return new Held(taken, split, wait);
        }

        private static Duration notNegative(Duration time) {
            return time.isNegative() ? Duration.ZERO : time;
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

    /** The client's token is in use on one of the resources with another TTL or owner, or with other resources. */
    record TokenInUse() implements Acquisition {
        @Override
        public Kind kind() {
            return Kind.TOKEN_IN_USE;
        }
    }

    /**
     * Clients hold the resource as a semaphore with another number of slots.
     *
     * @param slots that number
     */
    record OtherSlots(int slots) implements Acquisition {
        @Override
        public Kind kind() {
            return Kind.OTHER_SLOTS;
        }
    }

    /** No decision: too few masters answered, or no validity was left then. The values of the attempt are deleted. */
    record NoQuorum(NoQuorumReason why) implements Acquisition {
        @Override
        public Kind kind() {
            return Kind.NO_QUORUM;
        }
    }
}
