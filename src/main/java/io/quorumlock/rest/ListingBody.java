// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.rest;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.quorumlock.lock.FencingToken;
import io.quorumlock.lock.Inspection;
import io.quorumlock.lock.Listing;
import io.quorumlock.lock.Listing.HeldLock;
import io.quorumlock.lock.Owner;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.rest.LeaseBody.VotesBody;
import java.util.List;
import java.util.Optional;

/**
 * The JSON of a page of locks.
 *
 * @param after the last name of the page, after which the next one begins; absent on the last page
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
record ListingBody(List<LockBody> locks, Optional<String> after) {
    static ListingBody of(Listing.Page page) {
        return new ListingBody(
                page.locks().stream().map(LockBody::of).toList(), page.last().map(ResourceName::text));
    }

    /**
     * The JSON of one lock in the list, without its token.
     *
     * @param kept present only if the lock is kept after its release
     */
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    record LockBody(
            String resource,
            Optional<String> owner,
            Optional<String> heldSince,
            int extensions,
            long remainingMs,
            Optional<Long> fencingToken,
            Optional<Boolean> kept,
            @JsonUnwrapped KindBody kind,
            boolean partial,
            VotesBody votes) {
        static LockBody of(HeldLock lock) {
            Inspection.Held state = lock.state();
            return new LockBody(
                    lock.resource().text(),
                    state.owner().map(Owner::label),
                    state.since().map(TimeFormat::timestamp),
                    state.extensions(),
                    TimeFormat.millis(state.remaining()),
                    state.fence().map(FencingToken::number),
                    state.kept() ? Optional.of(true) : Optional.empty(),
                    KindBody.of(state),
                    lock.isPartial(),
                    VotesBody.of(state.votes()));
        }
    }
}
