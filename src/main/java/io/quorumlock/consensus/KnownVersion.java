// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.consensus;

import io.quorumlock.consensus.SeenLease.FirstSeen;
import io.quorumlock.time.MonotonicTime;
import java.util.Optional;

/**
 * A version of a record, as this replica knows it.
 *
 * @param at when this replica first knew of it
 * @param last the last version that was read: this one, or an earlier one
 */
record KnownVersion(long revision, MonotonicTime at, Optional<Sighting> last) {

    /** Returns the content; empty if this version was not read yet, or if another program wrote it. */
    Optional<Sighting> content() {
        return last.filter(read -> read.stored().revision() == revision);
    }

    boolean isRead(long ofRevision) {
        return ofRevision == revision && content().isPresent();
    }

    /**
     * Returns when this replica first knew of a write: when it knew of this version, unless an earlier one had this write.
     *
     * @param own the record as this replica wrote it; empty if it does not know that it did
     */
    FirstSeen first(String write, Optional<Sighting> own) {
        Optional<FirstSeen> known = last.map(read -> read.first().get(write));
        Optional<MonotonicTime> sent = known.flatMap(FirstSeen::sent)
                .or(() -> own.map(record -> record.first().get(write)).flatMap(FirstSeen::sent));
        return new FirstSeen(known.map(FirstSeen::since).orElse(at), sent);
    }

    KnownVersion next(long nextRevision, MonotonicTime now) {
        return new KnownVersion(nextRevision, now, last);
    }
}
