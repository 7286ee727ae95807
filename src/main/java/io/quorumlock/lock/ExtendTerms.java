package io.quorumlock.lock;

import java.time.Duration;

/**
 * Says on which terms an extension is asked for.
 *
 * @param ttl the new TTL from now, within {@link Limits}
 * @param minValidity the least validity that is of use to the holder: with less the lease is given up
 */
public record ExtendTerms(Duration ttl, Duration minValidity) {
    /** Takes whatever validity is left. */
    public ExtendTerms(Duration ttl) {
        this(ttl, Duration.ZERO);
    }
}
