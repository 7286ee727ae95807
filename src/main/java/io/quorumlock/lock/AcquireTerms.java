package io.quorumlock.lock;

import java.time.Duration;
import java.util.Optional;

/**
 * Says on which terms a lease is asked for.
 *
 * @param ttl how long the lease lasts unless it is extended, within {@link Limits}
 * @param minValidity the least validity that is of use to the client; not a term of the lease, so a replay may name another
 * @param patience how long the caller waits for a lock that another holds
 * @param token chosen by the client to make acquire safe to retry; empty lets the engine mint one
 * @param owner a label shown to others
 */
public record AcquireTerms(
        Duration ttl, Duration minValidity, Duration patience, Optional<LeaseToken> token, Optional<Owner> owner) {

    /** Says whether one attempt that fails may be followed by others of the same request. */
    public boolean mayBeTriedAgain() {
        return !patience.isZero();
    }

    /** Waits for nobody, and takes whatever validity is left. */
    public AcquireTerms(Duration ttl, Optional<LeaseToken> token, Optional<Owner> owner) {
        this(ttl, Duration.ZERO, Duration.ZERO, token, owner);
    }
}
