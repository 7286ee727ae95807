package io.quorumlock.lock;

import java.time.Duration;

/**
 * Is what a holder has: the right to a resource for a bounded time.
 *
 * @param fence orders this lease among all of the resource (S3)
 * @param ttl the time asked for
 * @param validity what was left of it when the answer was decided: {@code 0 < validity <= ttl - elapsed - drift} (S2)
 * @param elapsed from before the first byte of this attempt to the decision
 * @param waited how long the caller waited before this attempt: at least that, by any clock that keeps to the drift
 * @param extensionsLeft how often it can still be extended (R13)
 */
public record Lease(
        ResourceName resource,
        LeaseToken token,
        FencingToken fence,
        Duration ttl,
        Duration validity,
        Duration elapsed,
        Duration waited,
        int extensionsLeft,
        Votes votes) {

    public Lease {
        if (validity.toMillis() <= 0 || validity.compareTo(ttl) > 0) {
            throw new IllegalArgumentException("validity out of range");
        }
    }

    /** Is the same lease for somebody who waited for it. */
    public Lease after(Duration wait) {
        return new Lease(resource, token, fence, ttl, validity, elapsed, wait, extensionsLeft, votes);
    }
}
