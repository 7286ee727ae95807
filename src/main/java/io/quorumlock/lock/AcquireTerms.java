package io.quorumlock.lock;

import java.time.Duration;
import java.util.Optional;

/**
 * Says on which terms a lease is asked for.
 *
 * @param ttl how long the lease lasts unless it is extended, within {@link Limits}
 * @param patience how long the caller waits for a lock that another holds
 * @param token chosen by the client to make acquire safe to retry; empty lets the engine mint one
 * @param owner a label shown to others
 */
public record AcquireTerms(Duration ttl, Duration patience, Optional<LeaseToken> token, Optional<Owner> owner) {

    /** Waits for nobody. */
    public AcquireTerms(Duration ttl, Optional<LeaseToken> token, Optional<Owner> owner) {
        this(ttl, Duration.ZERO, token, owner);
    }
}
