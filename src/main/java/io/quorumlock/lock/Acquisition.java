package io.quorumlock.lock;

import java.time.Duration;
import java.util.Optional;

/** Is how an acquire ended. */
public sealed interface Acquisition {

    /** Granted by a quorum for the first time. */
    record Acquired(Lease lease) implements Acquisition {}

    /** Granted earlier to the same token on the same terms: the same lease, with what is left of it. */
    record Replayed(Lease lease) implements Acquisition {}

    /**
     * Refused, another holds it or contends for it.
     *
     * @param remaining when a majority can be free again, by what the nodes said
     * @param holder the token of the lease that most nodes named; empty if none did, or if another program holds it. Compared
     *     only, never shown
     * @param split whether several won votes, and maybe nobody a majority
     * @param waited how long the caller waited for it
     */
    record Held(Duration remaining, Optional<Owner> owner, Optional<LeaseToken> holder, boolean split, Duration waited)
            implements Acquisition {

        /** Refuses somebody who did not wait. */
        public Held(Duration remaining, Optional<Owner> owner) {
            this(remaining, owner, Optional.empty(), false, Duration.ZERO);
        }

        /** Refuses somebody who waited in vain. */
        public Held after(Duration wait) {
            return new Held(remaining, owner, holder, split, wait);
        }
    }

    /** Not tried, too many wait already. */
    record TooManyWaiters() implements Acquisition {}

    /** Not waited for any longer, this replica is about to end. */
    record ShuttingDown() implements Acquisition {}

    /** Refused, the client's token is in use on this resource with another TTL or owner. */
    record TokenInUse() implements Acquisition {}

    /**
     * Granted by a quorum, and given up at once: less validity was left than the client needs.
     *
     * @param wasHeld whether it was an earlier lease of the same token; what was left of that one is being deleted too
     */
    record TooShort(ValidityShortage shortage, boolean wasHeld, NoQuorumReason why) implements Acquisition {}

    /** Undecided: too few nodes answered, or no validity was left when they had. What was written is being deleted. */
    record NoQuorum(NoQuorumReason why) implements Acquisition {}
}
