// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.core.lock;

import java.time.Duration;
import java.util.OptionalInt;

/**
 * The right to one or several resources for a bounded time.
 *
 * @param fence the position of this lease among all leases of each of the resources (S3)
 * @param ttl the lifetime that was requested
 * @param validity remaining time at the decision: {@code 0 < validity <= ttl - elapsed - drift} (S2)
 * @param elapsed time from before the first byte of this attempt to the decision
 * @param waited lower bound, for any clock within the drift, of the time that the caller waited before this attempt
 * @param extensionsLeft remaining number of extensions (R13); empty for no limit
 * @param slot of a semaphore; empty for other kinds of locks, and for an extension
 */
public record Lease(
        ResourceNames resources,
        LeaseToken token,
        FencingToken fence,
        Duration ttl,
        Duration validity,
        Duration elapsed,
        Duration waited,
        OptionalInt extensionsLeft,
        Votes votes,
        OptionalInt slot) {

    public Lease {
        if (validity.toMillis() <= 0 || validity.compareTo(ttl) > 0) {
            throw new IllegalArgumentException("validity must be from 1 ms to the TTL");
        }
    }

    /** Returns the same lease for a caller that waited this long in addition. */
    public Lease waited(Duration before) {
        return new Lease(
                resources, token, fence, ttl, validity, elapsed, waited.plus(before), extensionsLeft, votes, slot);
    }

    /**
     * The number of votes behind an answer.
     *
     * @param granted masters with a positive vote at the time of the answer; {@code granted - required} of them may lose
     *     their data without harm
     * @param required the quorum: a majority of the configured masters (R1)
     * @param total the configured masters
     */
    public record Votes(int granted, int required, int total) {}
}
