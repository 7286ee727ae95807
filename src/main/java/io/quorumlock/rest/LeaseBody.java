// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.rest;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.quorumlock.lock.Lease;
import io.quorumlock.lock.Lease.Votes;
import java.time.Instant;
import java.util.OptionalInt;

/**
 * The JSON of a lease.
 *
 * @param validityMs rounded down, so that the client never counts on more than the remaining time
 * @param elapsedMs including the wait, rounded down too: the holder's deadline is {@code sent + elapsedMs + validityMs}
 * @param expiresAt by the wall clock of the service, for people
 * @param extensionsLeft only if extensions are limited
 * @param slot only for a semaphore
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
record LeaseBody(
        String resource,
        String token,
        long fencingToken,
        long ttlMs,
        long validityMs,
        long elapsedMs,
        String expiresAt,
        OptionalInt extensionsLeft,
        OptionalInt slot,
        VotesBody votes) {

    static LeaseBody of(Lease lease, Instant now) {
        return new LeaseBody(
                lease.resources().first().text(),
                lease.token().text(),
                lease.fence().number(),
                lease.ttl().toMillis(),
                lease.validity().toMillis(),
                lease.waited().plus(lease.elapsed()).toMillis(),
                TimeFormat.timestamp(now.plus(lease.validity())),
                lease.extensionsLeft(),
                lease.slot(),
                VotesBody.of(lease.votes()));
    }

    /** The JSON of votes. */
    record VotesBody(int granted, int required, int total) {
        static VotesBody of(Votes votes) {
            return new VotesBody(votes.granted(), votes.required(), votes.total());
        }
    }
}
