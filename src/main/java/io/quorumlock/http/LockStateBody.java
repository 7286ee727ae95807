// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.quorumlock.core.lock.Inspection;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.http.LeaseBody.VotesBody;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The JSON fields of a lock that clients hold, without its tokens.
 *
 * @param mode present only if clients share the lock
 * @param slots present only for a semaphore
 * @param holders the first of them; its fields are those of the lock, too
 * @param holderCount number of all holders
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
record LockStateBody(
        @JsonUnwrapped HolderBody first,
        Optional<String> mode,
        Optional<Integer> slots,
        List<HolderBody> holders,
        int holderCount,
        VotesBody votes) {

    /** @param visible whether the client may see a lock */
    static LockStateBody of(Inspection.Held lock, Predicate<ResourceName> visible) {
        LockKind kind = lock.lockKind();
        List<HolderBody> holders = lock.holders().stream()
                .map(holder -> HolderBody.of(holder, visible))
                .toList();
        return new LockStateBody(
                HolderBody.of(lock.first(), visible),
                kind.equals(LockKind.SHARED) ? Optional.of("shared") : Optional.empty(),
                kind.slots() > 0 ? Optional.of(kind.slots()) : Optional.empty(),
                holders,
                lock.holderCount(),
                VotesBody.of(lock.votes()));
    }
}
