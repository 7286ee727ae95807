// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.quorumlock.core.lock.Lease;
import io.quorumlock.core.lock.Lease.Votes;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * The JSON of a lease.
 *
 * @param resource only if the client did not send a set of names
 * @param fencingToken only if resource is present
 * @param validityMs rounded down, so that the client never counts on more than the remaining time
 * @param elapsedMs including the wait, rounded down too: the holder's deadline is {@code sent + elapsedMs + validityMs}
 * @param expiresAt by the wall clock of the service, for people
 * @param extensionsLeft only if extensions are limited
 * @param slot only for a semaphore
 * @param leases only if the client sent a set of names
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
public record LeaseBody(
        Optional<String> resource,
        String token,
        OptionalLong fencingToken,
        long ttlMs,
        long validityMs,
        long elapsedMs,
        String expiresAt,
        OptionalInt extensionsLeft,
        OptionalInt slot,
        VotesBody votes,
        Optional<List<NameBody>> leases) {

    public static LeaseBody of(Lease lease, Instant now) {
        return of(lease, now, false);
    }

    /** @param several whether the client sent a set of names, also of one */
    static LeaseBody of(Lease lease, Instant now, boolean several) {
        long fence = lease.fence().number();
        return new LeaseBody(
                several
                        ? Optional.empty()
                        : Optional.of(lease.resources().first().text()),
                lease.token().text(),
                several ? OptionalLong.empty() : OptionalLong.of(fence),
                lease.ttl().toMillis(),
                lease.validity().toMillis(),
                lease.waited().plus(lease.elapsed()).toMillis(),
                TimeFormat.timestamp(now.plus(lease.validity())),
                lease.extensionsLeft(),
                lease.slot(),
                VotesBody.of(lease.votes()),
                several
                        ? Optional.of(lease.resources().list().stream()
                                .map(name -> new NameBody(name.text(), fence))
                                .toList())
                        : Optional.empty());
    }

    /** The JSON of one lock of a set. */
    record NameBody(String name, long fencingToken) {}

    /** The JSON of votes. */
    record VotesBody(int granted, int required, int total) {
        static VotesBody of(Votes votes) {
            return new VotesBody(votes.granted(), votes.required(), votes.total());
        }
    }
}
