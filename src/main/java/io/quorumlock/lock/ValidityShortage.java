package io.quorumlock.lock;

import java.time.Duration;
import java.util.Optional;

/**
 * The shortage of a lease with less remaining validity than its client needs.
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
