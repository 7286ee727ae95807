// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.rest;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.quorumlock.lock.FencingToken;
import io.quorumlock.lock.Inspection;
import io.quorumlock.lock.Owner;
import io.quorumlock.rest.LeaseBody.VotesBody;
import java.util.Optional;

/**
 * The JSON of an inspected lock, without its token.
 *
 * @param kept present only if the lock is kept after its release
 * @param heldSince by the clocks of the masters, for people
 * @param waiters number of waiting clients on this replica
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
record InspectionBody(
        boolean held,
        Optional<String> owner,
        Optional<String> heldSince,
        int extensions,
        long remainingMs,
        Optional<Long> fencingToken,
        Optional<Boolean> kept,
        @JsonUnwrapped KindBody kind,
        VotesBody votes,
        int waiters) {
    static InspectionBody of(Inspection.Held lock, int waiters) {
        return new InspectionBody(
                true,
                lock.owner().map(Owner::label),
                lock.since().map(TimeFormat::timestamp),
                lock.extensions(),
                TimeFormat.millis(lock.remaining()),
                lock.fence().map(FencingToken::number),
                lock.kept() ? Optional.of(true) : Optional.empty(),
                KindBody.of(lock),
                VotesBody.of(lock.votes()),
                waiters);
    }
}
