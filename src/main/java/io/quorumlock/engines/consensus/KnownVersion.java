// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.consensus;

import io.quorumlock.core.loop.MonotonicTime;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;

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
     * Returns from when a write with a revision counts: when this replica knew of this version, unless an earlier one had this
     * write, or the notes of uptime show that it is older.
     *
     * @param own the lock as this replica wrote it; empty if it does not know that it did
     */
    BiFunction<String, Long, FirstSeen> firstSeen(Optional<KnownLock> own, Uptime uptime) {
        Map<String, FirstSeen> before = last.map(KnownLock::firstSeen).orElse(Map.of());
        Map<String, FirstSeen> ours = own.map(KnownLock::firstSeen).orElse(Map.of());
        return (write, written) -> {
            Optional<FirstSeen> known = Optional.ofNullable(before.get(write));
            Optional<MonotonicTime> sent = known.flatMap(FirstSeen::sent)
                    .or(() -> Optional.ofNullable(ours.get(write)).flatMap(FirstSeen::sent));
            return new FirstSeen(known.map(FirstSeen::since).orElseGet(() -> uptime.since(written, at)), sent);
        };
    }

    KnownVersion next(long nextRevision, MonotonicTime now) {
        return new KnownVersion(nextRevision, now, last);
    }
}
