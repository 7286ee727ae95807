// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.consensus;

import io.quorumlock.lock.Acquisition.Held.Taken;
import io.quorumlock.lock.FencingToken;
import io.quorumlock.lock.Inspection.HolderState;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.LockKind;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.lock.ResourceNames;
import io.quorumlock.time.MonotonicTime;
import java.time.Duration;
import java.util.Optional;

/**
 * The lease of one holder, as this replica has seen it.
 *
 * @param fence the revision of the record that began the lease
 * @param first when this replica first knew of this write
 */
record SeenLease(ResourceName resource, LeaseRecord record, FencingToken fence, FirstSeen first) {
    private static final long NANOS_PER_MILLI = 1_000_000;

    /**
     * When a replica first knew of a write.
     *
     * @param since never before the write took effect; before it is written, the time of the decision
     * @param sent when this replica decided to send the write; empty if another one did
     */
    record FirstSeen(MonotonicTime since, Optional<MonotonicTime> sent) {}

    /** The identity of a lease. */
    record Id(LeaseToken token, FencingToken fence) {}

    /** Returns whether the lease is one of this token, and was not released. */
    boolean isHeldBy(LeaseToken token) {
        return record.token().equals(token) && !record.kept();
    }

    /** Returns whether the lease is one of this token on these resources, and was not released. */
    boolean isHeldBy(LeaseToken token, ResourceNames resources) {
        return isHeldBy(token) && record.names().equals(resources.mark());
    }

    /** Returns the identity of the lease, which does not change when it is extended or kept. */
    Id id() {
        return new Id(record.token(), fence);
    }

    /**
     * Returns how long the lease may still last, in whole milliseconds, rounded up. It lasts shorter if this replica saw it
     * late. Zero or less after its end.
     */
    Duration remaining(MonotonicTime now) {
        long nanos = record.lasts().minus(now.since(first.since())).toNanos();
        return Duration.ofMillis(-Math.floorDiv(-nanos, NANOS_PER_MILLI));
    }

    /**
     * Returns how long the lease lasts after a repeated acquire. It must not end before any answer said. It is exact, and
     * counts from before the write where this is known, because otherwise each repeat would prolong the lease by the
     * duration of a call.
     */
    Duration rest(MonotonicTime now) {
        Duration rest = record.lasts().minus(now.since(first.sent().orElse(first.since())));
        return rest.isNegative() ? Duration.ZERO : rest;
    }

    /** Returns whether another client may get the place (S1): this write was seen for as long as the lease lasts. */
    boolean isOver(MonotonicTime now) {
        Duration left = remaining(now);
        return left.isNegative() || left.isZero();
    }

    /** Returns what a client that is refused because of this lease may know. */
    Taken taken(MonotonicTime now, LockKind kind) {
        return new Taken(
                resource,
                record.owner().filter(owner -> !record.kept()),
                remaining(now),
                Optional.of(record.token()).filter(token -> !record.kept()),
                record.kept(),
                kind.equals(LockKind.SHARED));
    }

    /** Returns the state of the holder for callers. */
    HolderState state(MonotonicTime now) {
        return new HolderState(
                record.owner(),
                slot(),
                Optional.of(record.since()),
                record.extensionsUsed(),
                remaining(now),
                Optional.of(fence),
                record.kept(),
                ResourceNames.marked(record.names()));
    }

    Optional<Integer> slot() {
        return record.slot().stream().boxed().findFirst();
    }
}
