// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.quorumlock.core.lock.FencingToken;
import io.quorumlock.core.lock.Inspection.HolderState;
import io.quorumlock.core.lock.Owner;
import io.quorumlock.core.lock.ResourceName;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The JSON of a holder of a lock, without its token.
 *
 * @param owner of a kept lock, the one who released it
 * @param slot of a semaphore
 * @param heldSince for people
 * @param kept present only if the lock is kept after its release
 * @param unconfirmed present only if too few masters answered to know whether the holder has the lock
 * @param names present only for a lease of several locks
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
record HolderBody(
        Optional<String> owner,
        Optional<Integer> slot,
        Optional<String> heldSince,
        int extensions,
        long remainingMs,
        Optional<Long> fencingToken,
        Optional<Boolean> kept,
        Optional<Boolean> unconfirmed,
        Optional<List<String>> names) {

    /** @param visible whether the client may see a lock */
    static HolderBody of(HolderState holder, Predicate<ResourceName> visible) {
        List<String> names =
                holder.names().stream().filter(visible).map(ResourceName::text).toList();
        return new HolderBody(
                holder.owner().map(Owner::label),
                holder.slot(),
                holder.since().map(TimeFormat::timestamp),
                holder.extensions(),
                TimeFormat.millis(holder.remaining()),
                holder.fence().map(FencingToken::number),
                holder.kept() ? Optional.of(true) : Optional.empty(),
                holder.unconfirmed().map(why -> true),
                names.isEmpty() ? Optional.empty() : Optional.of(names));
    }
}
