// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.consensus;

import io.quorumlock.core.lock.Acquisition.Held.Taken;
import io.quorumlock.core.lock.FencingToken;
import io.quorumlock.core.lock.Inspection.HolderState;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.lock.Owner;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.core.loop.MonotonicTime;
import java.time.Duration;
import java.util.Optional;

/** The lease of one holder, as this replica knows it. */
record KnownLease(ResourceName resource, LeaseRecord record, FirstSeen first) {
    private static final long NANOS_PER_MILLI = 1_000_000;

    /**
     * The identity of a lease.
     *
     * @param fence empty before the lease was written
     */
    record Id(LeaseToken token, Optional<FencingToken> fence) {}

    LeaseToken token() {
        return record.token();
    }

    Optional<Owner> owner() {
        return record.owner();
    }

    /** Returns whether the lease is one of this token, and was not released. */
    boolean isHeldBy(LeaseToken token) {
        return token().equals(token) && !record.kept();
    }

    /** Returns whether the lease is one of this token on these resources, and was not released. */
    boolean isHeldBy(LeaseToken token, ResourceNames resources) {
        return isHeldBy(token) && isOf(token, resources);
    }

    /** Returns whether the lease is one of this token on these resources. It may be released and kept. */
    boolean isOf(LeaseToken token, ResourceNames resources) {
        return token().equals(token) && record.holder().names().equals(resources.mark());
    }

    boolean hasWrite(String write) {
        return record.write().equals(write);
    }

    /** Returns the identity of the lease, which does not change when it is extended or kept. */
    Id id() {
        return new Id(token(), record.fence());
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
        boolean kept = record.kept();
        return new Taken(
                resource,
                kept ? Optional.empty() : owner(),
                remaining(now),
                kept ? Optional.empty() : Optional.of(token()),
                kept,
                kind.equals(LockKind.SHARED));
    }

    /** Returns the state of the holder for callers. */
    HolderState state(MonotonicTime now) {
        return new HolderState(
                owner(),
                slot(),
                Optional.of(record.holder().since()),
                record.extensionsUsed(),
                remaining(now),
                record.fence(),
                record.kept(),
                Optional.empty(),
                ResourceNames.marked(record.holder().names()));
    }

    Optional<Integer> slot() {
        return record.holder().slot().stream().boxed().findFirst();
    }
}
