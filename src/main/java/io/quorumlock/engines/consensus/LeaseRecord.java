// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.consensus;

import io.quorumlock.core.lock.AcquireTerms;
import io.quorumlock.core.lock.FencingToken;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.Owner;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.core.loop.Durations;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The lease of one holder, in the record of a lock.
 *
 * @param write unique for each write of a holder. It shows whether a write without a reply took effect (R3), and a replica
 *     counts the time of the lease from the moment when it first saw it, or from an earlier one by the notes of uptime
 * @param lasts duration of the lease from this write, exact: a rounded one would grow with each repeat
 * @param extensionsUsed number of extensions of the lease
 * @param renewed whether an earlier write began the lease
 * @param fence empty in the write of the record that began the lease, whose revision is the fencing token
 * @param kept whether the lease was released, and its place stays taken while the record lasts
 * @param revision that of this write; empty in the write itself
 */
record LeaseRecord(
        Holder holder,
        String write,
        Duration lasts,
        int extensionsUsed,
        boolean renewed,
        Optional<FencingToken> fence,
        boolean kept,
        Optional<Long> revision) {

    /**
     * What does not change during a lease.
     *
     * @param owner of a kept place, the one who released it
     * @param names the mark of all resources of the lease; empty for one
     * @param slot of a semaphore
     * @param since the time of the acquire by the wall clock of its replica, in whole milliseconds, for display only
     * @param ttl the TTL of the acquire, in whole milliseconds; a repeated acquire must have the same
     */
    record Holder(
            LeaseToken token, Optional<Owner> owner, String names, OptionalInt slot, Instant since, Duration ttl) {
        boolean hasTerms(AcquireTerms terms) {
            return ttl.equals(terms.ttl()) && owner.equals(terms.owner());
        }
    }

    /** Returns a new lease. */
    static LeaseRecord of(LeaseToken token, String write, ResourceNames resources, AcquireTerms terms, Instant now) {
        Instant since = now.truncatedTo(ChronoUnit.MILLIS);
        Holder holder = new Holder(token, terms.owner(), resources.mark(), OptionalInt.empty(), since, terms.ttl());
        return new LeaseRecord(holder, write, terms.ttl(), 0, false, Optional.empty(), false, Optional.empty());
    }

    /** Returns the lease of one slot of a semaphore. */
    LeaseRecord in(int slot) {
        Holder inSlot =
                new Holder(token(), holder.owner(), holder.names(), OptionalInt.of(slot), holder.since(), holder.ttl());
        return new LeaseRecord(inSlot, write, lasts, extensionsUsed, renewed, fence, kept, revision);
    }

    /** Fills in the fence and the revision, unless an earlier write of the record gave them to the lease. */
    LeaseRecord writtenAt(long known) {
        return new LeaseRecord(
                holder,
                write,
                lasts,
                extensionsUsed,
                renewed,
                fence.or(() -> Optional.of(new FencingToken(known))),
                kept,
                revision.or(() -> Optional.of(known)));
    }

    /** Returns the lease as a later write of its own leaves it. */
    LeaseRecord rewritten(String nextWrite, Duration rest) {
        return new LeaseRecord(holder, nextWrite, rest, extensionsUsed, true, fence, kept, Optional.empty());
    }

    /** Returns the lease after one more extension. */
    LeaseRecord extended() {
        return new LeaseRecord(holder, write, lasts, extensionsUsed + 1, renewed, fence, kept, revision);
    }

    /** Returns the lease after a release that keeps its place. */
    LeaseRecord released() {
        return new LeaseRecord(holder, write, lasts, extensionsUsed, renewed, fence, true, revision);
    }

    /** Returns the longest duration that this write or the acquire gave the lease. A later write may be about the rest only. */
    Duration longest() {
        return Durations.max(lasts, holder.ttl());
    }

    LeaseToken token() {
        return holder.token();
    }

    Optional<Owner> owner() {
        return holder.owner();
    }

    /** Returns whether this write began the lease. */
    boolean beginsLease() {
        return !renewed;
    }
}
