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
     */
    record Held(Duration remaining, Optional<Owner> owner) implements Acquisition {}

    /** Refused, the client's token is in use on this resource with another TTL or owner. */
    record TokenInUse() implements Acquisition {}

    /** Undecided: too few nodes answered, or no validity was left when they had. What was written is being deleted. */
    record NoQuorum(Unanswered why) implements Acquisition {}
}
