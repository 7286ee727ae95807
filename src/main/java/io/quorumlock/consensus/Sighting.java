// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.consensus;

import io.quorumlock.lock.FencingToken;
import io.quorumlock.lock.Inspection;
import io.quorumlock.lock.Inspection.HolderState;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.LockKind;
import io.quorumlock.lock.ResourceNames;
import io.quorumlock.time.MonotonicTime;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * One version of a lock's record, as this replica has seen it.
 *
 * @param since when this replica first knew of this version, which is never before it was written
 * @param sent when this replica sent the write of this version; empty if another one wrote it
 */
record Sighting(StoredRecord stored, LockRecord record, MonotonicTime since, Optional<MonotonicTime> sent) {
    private static final long NANOS_PER_MILLI = 1_000_000;

    /** Returns empty if another program wrote the record. */
    static Optional<Sighting> of(StoredRecord stored, MonotonicTime since, Optional<MonotonicTime> sent) {
        return LockRecord.parse(stored.text()).map(record -> new Sighting(stored, record, since, sent));
    }

    /** Returns the fencing token: the revision of the record that began the lease. */
    FencingToken fence() {
        return record.fence().orElseGet(() -> new FencingToken(stored.revision()));
    }

    /** Returns the state of the lock for callers. The store counts as one master. */
    Inspection.Held held(MonotonicTime now) {
        HolderState only = new HolderState(
                record.owner(),
                Optional.empty(),
                Optional.of(record.since()),
                record.extensionsUsed(),
                remaining(now),
                Optional.of(fence()),
                record.isKept(),
                ResourceNames.marked(record.names()));
        return Inspection.Held.of(List.of(only), LockKind.EXCLUSIVE, RecordOperation.ONE_VOTE);
    }

    /** Returns whether the record is of a lease of this token, which was not released. */
    boolean isHeldBy(LeaseToken token) {
        return record.token().equals(token) && !record.isKept();
    }

    /**
     * Returns how long the lease lasts after a repeated acquire. It must not end before any answer said. It is exact, and
     * counts from before the write where this is known, because otherwise each repeat would prolong the lease by the
     * duration of a call.
     */
    Duration rest(MonotonicTime now) {
        Duration rest = record.lasts().minus(now.since(sent.orElse(since)));
        return rest.isNegative() ? Duration.ZERO : rest;
    }

    /**
     * Returns how long the lease may still last, in whole milliseconds, rounded up. It lasts shorter if this replica
     * saw the record late. Zero or less after its end.
     */
    Duration remaining(MonotonicTime now) {
        long nanos = record.lasts().minus(now.since(since)).toNanos();
        return Duration.ofMillis(-Math.floorDiv(-nanos, NANOS_PER_MILLI));
    }

    /** Returns whether another client may get the lock (S1): this version was seen for as long as the lease lasts. */
    boolean isExpired(MonotonicTime now) {
        return remaining(now).isNegative() || remaining(now).isZero();
    }
}
