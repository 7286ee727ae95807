// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.rest;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.quorumlock.lock.FencingToken;
import io.quorumlock.lock.Inspection;
import io.quorumlock.lock.LockKind;
import io.quorumlock.lock.Owner;
import io.quorumlock.rest.LeaseBody.VotesBody;
import java.util.Optional;

/**
 * The JSON fields of a lock that clients hold, without its token.
 *
 * @param heldSince by the clocks of the masters, for people
 * @param kept present only if the lock is kept after its release
 * @param mode present only if clients share the lock
 * @param slots present only for a semaphore
 * @param holders absent for an exclusive lock
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
record LockStateBody(
        Optional<String> owner,
        Optional<String> heldSince,
        int extensions,
        long remainingMs,
        Optional<Long> fencingToken,
        Optional<Boolean> kept,
        Optional<String> mode,
        Optional<Integer> slots,
        Optional<Integer> holders,
        VotesBody votes) {
    static LockStateBody of(Inspection.Held lock) {
        LockKind kind = lock.lockKind();
        return new LockStateBody(
                lock.owner().map(Owner::label),
                lock.since().map(TimeFormat::timestamp),
                lock.extensions(),
                TimeFormat.millis(lock.remaining()),
                lock.fence().map(FencingToken::number),
                lock.kept() ? Optional.of(true) : Optional.empty(),
                kind.equals(LockKind.SHARED) ? Optional.of("shared") : Optional.empty(),
                kind.slots() > 0 ? Optional.of(kind.slots()) : Optional.empty(),
                kind.isExclusive() ? Optional.empty() : Optional.of(lock.holders()),
                VotesBody.of(lock.votes()));
    }
}
