// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.consensus;

import io.quorumlock.lock.AcquireTerms;
import io.quorumlock.lock.FencingToken;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.Owner;
import io.quorumlock.lock.ResourceNames;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The lease of one holder, in the record of a lock.
 *
 * @param write unique for each write of a holder. It shows whether a write without a reply took effect (R3), and a replica
 *     counts the time of the lease from the moment when it first saw it
 * @param extensionsUsed number of extensions of the lease
 * @param later whether an earlier write began the lease
 * @param fence empty in the write of the record that began the lease, whose revision is the fencing token
 * @param ttl the TTL of the acquire, in whole milliseconds; a repeated acquire must have the same
 * @param lasts duration of the lease from this write, exact: a rounded one would grow with each repeat
 * @param since the time of the acquire by the wall clock of its replica, in whole milliseconds, for display only
 * @param names the mark of all resources of the lease; empty for one
 * @param slot of a semaphore
 * @param owner of a kept place, the one who released it
 * @param kept whether the lease was released, and its place stays taken while the record lasts
 */
record LeaseRecord(
        LeaseToken token,
        String write,
        int extensionsUsed,
        boolean later,
        Optional<FencingToken> fence,
        Duration ttl,
        Duration lasts,
        Instant since,
        String names,
        OptionalInt slot,
        Optional<Owner> owner,
        boolean kept) {

    /** Returns the holder of a new lease. */
    static LeaseRecord of(LeaseToken token, String write, ResourceNames resources, AcquireTerms terms, Instant now) {
        return new LeaseRecord(
                token,
                write,
                0,
                false,
                Optional.empty(),
                terms.ttl(),
                terms.ttl(),
                now.truncatedTo(ChronoUnit.MILLIS),
                resources.mark(),
                OptionalInt.empty(),
                terms.owner(),
                false);
    }

    /** Returns the holder of one slot of a semaphore. */
    LeaseRecord in(int number) {
        return new LeaseRecord(
                token,
                write,
                extensionsUsed,
                later,
                fence,
                ttl,
                lasts,
                since,
                names,
                OptionalInt.of(number),
                owner,
                kept);
    }

    /** Returns the holder in a later write of the record. */
    LeaseRecord withFence(FencingToken known) {
        return new LeaseRecord(
                token, write, extensionsUsed, later, Optional.of(known), ttl, lasts, since, names, slot, owner, kept);
    }

    /** Returns the holder as a later write of its own leaves it. */
    LeaseRecord rewritten(String nextWrite, FencingToken known, Duration rest) {
        return new LeaseRecord(
                token, nextWrite, extensionsUsed, true, Optional.of(known), ttl, rest, since, names, slot, owner, kept);
    }

    /** Returns the holder after one more extension. */
    LeaseRecord extended() {
        return new LeaseRecord(
                token, write, extensionsUsed + 1, later, fence, ttl, lasts, since, names, slot, owner, kept);
    }

    /** Returns the holder after a release that keeps its place. */
    LeaseRecord released() {
        return new LeaseRecord(token, write, extensionsUsed, later, fence, ttl, lasts, since, names, slot, owner, true);
    }

    /** Returns whether this write began the lease. */
    boolean beginsLease() {
        return !later;
    }

    boolean hasTerms(AcquireTerms terms) {
        return ttl.equals(terms.ttl()) && owner.equals(terms.owner());
    }
}
