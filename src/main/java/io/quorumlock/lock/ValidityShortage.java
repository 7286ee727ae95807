package io.quorumlock.lock;

import java.time.Duration;
import java.util.Optional;

/**
 * Says by how much a lease was too short for its holder.
 *
 * @param asked the least validity that the work needs
 * @param left what was left when the attempt was decided, zero if nothing was
 */
public record ValidityShortage(Duration asked, Duration left) {
    /** Compares the two: finds nothing where enough is left. */
    public static Optional<ValidityShortage> of(Duration asked, Duration validity) {
        Duration left = validity.isNegative() ? Duration.ZERO : validity;
        return left.compareTo(asked) < 0 ? Optional.of(new ValidityShortage(asked, left)) : Optional.empty();
    }
}
