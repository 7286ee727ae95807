// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.consensus;

import io.quorumlock.core.loop.MonotonicTime;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * A version of a record, as this replica knows it.
 *
 * @param at when this replica first knew of it
 * @param last the last version that was read: this one, or an earlier one
 */
record KnownVersion(long revision, MonotonicTime at, Optional<KnownLock> last) {

    /** Returns the content; empty if this version was not read yet, or if another program wrote it. */
    Optional<KnownLock> content() {
        return last.filter(read -> read.stored().orElseThrow().revision() == revision);
    }

    boolean isRead(long ofRevision) {
        return ofRevision == revision && content().isPresent();
    }

    /**
     * Returns when this replica first knew of a write: when it knew of this version, unless an earlier one had this write.
     *
     * @param own the lock as this replica wrote it; empty if it does not know that it did
     */
    Function<String, FirstSeen> firstSeen(Optional<KnownLock> own) {
        Map<String, FirstSeen> before = last.map(KnownLock::firstSeen).orElse(Map.of());
        Map<String, FirstSeen> written = own.map(KnownLock::firstSeen).orElse(Map.of());
        return write -> {
            Optional<FirstSeen> known = Optional.ofNullable(before.get(write));
            Optional<MonotonicTime> sent = known.flatMap(FirstSeen::sent)
                    .or(() -> Optional.ofNullable(written.get(write)).flatMap(FirstSeen::sent));
            return new FirstSeen(known.map(FirstSeen::since).orElse(at), sent);
        };
    }

    KnownVersion next(long nextRevision, MonotonicTime now) {
        return new KnownVersion(nextRevision, now, last);
    }
}
