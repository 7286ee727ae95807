// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.quorumlock.core.lock.Acquisition.Held;
import io.quorumlock.core.lock.Lease;
import io.quorumlock.core.lock.Lease.Votes;
import io.quorumlock.core.lock.Owner;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * The JSON of a lease.
 *
 * @param resource only if the client did not send a set of names
 * @param fencingToken as the resource
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
        long fence = lease.fence().number();
        return of(lease, now, Optional.of(lease.resources().first().text()), OptionalLong.of(fence), Optional.empty());
    }

    /** Returns the JSON for a call with a set of names, also of one. */
    static LeaseBody ofSeveral(Lease lease, Instant now) {
        List<NameBody> names = lease.resources().list().stream()
                .map(name -> new NameBody(name.text(), lease.fence().number()))
                .toList();
        return of(lease, now, Optional.empty(), OptionalLong.empty(), Optional.of(names));
    }

    private static LeaseBody of(
            Lease lease,
            Instant now,
            Optional<String> resource,
            OptionalLong fencingToken,
            Optional<List<NameBody>> leases) {
        return new LeaseBody(
                resource,
                lease.token().text(),
                fencingToken,
                lease.ttl().toMillis(),
                lease.validity().toMillis(),
                lease.waited().plus(lease.elapsed()).toMillis(),
                TimeFormat.timestamp(now.plus(lease.validity())),
                lease.extensionsLeft(),
                lease.slot(),
                VotesBody.of(lease.votes()),
                leases);
    }

    /** The JSON of one lock of a set. */
    record NameBody(String name, long fencingToken) {}

    /** The JSON of one lock of a set that another client holds. */
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    record TakenBody(String name, Optional<String> owner, long remainingMs, Optional<Boolean> kept) {
        static TakenBody of(Held.Taken taken) {
            return new TakenBody(
                    taken.resource().text(),
                    taken.owner().map(Owner::label),
                    TimeFormat.millis(taken.remaining()),
                    taken.kept() ? Optional.of(true) : Optional.empty());
        }
    }

    /** The JSON of votes. */
    record VotesBody(int granted, int required, int total) {
        static VotesBody of(Votes votes) {
            return new VotesBody(votes.granted(), votes.required(), votes.total());
        }
    }
}
