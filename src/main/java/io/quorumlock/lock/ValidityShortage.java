package io.quorumlock.lock;

import java.time.Duration;
import java.util.Optional;

/**
 * The difference between the validity that a client needs and what is left.
 *
 * @param asked the least validity that the client needs
 * @param left the validity at the decision, zero or more
 */
public record ValidityShortage(Duration asked, Duration left) {
    /** Returns the shortage, or empty if enough validity is left. */
    public static Optional<ValidityShortage> of(Duration asked, Duration validity) {
        Duration left = validity.isNegative() ? Duration.ZERO : validity;
        return left.compareTo(asked) < 0 ? Optional.of(new ValidityShortage(asked, left)) : Optional.empty();
    }
}
