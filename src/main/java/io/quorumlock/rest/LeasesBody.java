// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.rest;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.quorumlock.lock.Acquisition.Held;
import io.quorumlock.lock.Lease;
import io.quorumlock.lock.Owner;
import io.quorumlock.rest.LeaseBody.VotesBody;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** The JSON of the lease of a set of locks, with the fields of {@link LeaseBody}. */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
record LeasesBody(
        String token,
        long ttlMs,
        long validityMs,
        long elapsedMs,
        String expiresAt,
        OptionalInt extensionsLeft,
        VotesBody votes,
        List<NameBody> leases) {

    static LeasesBody of(Lease lease, Instant now) {
        LeaseBody body = LeaseBody.of(lease, now);
        return new LeasesBody(
                body.token(),
                body.ttlMs(),
                body.validityMs(),
                body.elapsedMs(),
                body.expiresAt(),
                body.extensionsLeft(),
                body.votes(),
                lease.resources().list().stream()
                        .map(name -> new NameBody(name.text(), body.fencingToken()))
                        .toList());
    }

    /** The JSON of one of the locks. */
    record NameBody(String name, long fencingToken) {}

    /** The JSON of one of the locks that another client holds. */
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
}
