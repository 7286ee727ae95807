// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.consensus;

import io.quorumlock.lock.FencingToken;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.LockKind;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The content of the record of a lock.
 *
 * @param kind of the lock while it has holders
 * @param holders in the order of their acquires; one for an exclusive lock
 * @param reservation of a shared lock
 */
record LockRecord(LockKind kind, List<LeaseRecord> holders, Optional<Reservation> reservation) {
    /** The content of a record that does not exist. */
    static final LockRecord FREE = new LockRecord(LockKind.EXCLUSIVE, List.of(), Optional.empty());

    /**
     * The reservation of a shared lock for clients that wait on one replica to hold it alone. It keeps all others out.
     *
     * @param lasts until this write was seen for this time
     */
    record Reservation(String replica, String write, Duration lasts) {}

    boolean isFree() {
        return holders.isEmpty() && reservation.isEmpty();
    }

    Optional<LeaseRecord> holder(LeaseToken token) {
        return holders.stream().filter(one -> one.token().equals(token)).findFirst();
    }

    /** Returns this record with a holder in the place of that with the same token, or added. */
    LockRecord with(LeaseRecord holder) {
        Predicate<LeaseRecord> same = one -> one.token().equals(holder.token());
        List<LeaseRecord> all = holders.stream().anyMatch(same)
                ? holders.stream().map(one -> same.test(one) ? holder : one).toList()
                : Stream.concat(holders.stream(), Stream.of(holder)).toList();
        return new LockRecord(kind, all, reservation);
    }

    /** Returns this record for its later writes: the revision of this one is the fence of those who came with it. */
    LockRecord writtenAt(long revision) {
        FencingToken fence = new FencingToken(revision);
        return new LockRecord(
                kind,
                holders.stream()
                        .map(holder -> holder.fence().isPresent() ? holder : holder.withFence(fence))
                        .toList(),
                reservation);
    }

    LockRecord withHolders(List<LeaseRecord> others) {
        return new LockRecord(kind, others, reservation);
    }

    LockRecord ofKind(LockKind other) {
        return new LockRecord(other, holders, reservation);
    }

    LockRecord with(Reservation own) {
        return new LockRecord(kind, holders, Optional.of(own));
    }

    LockRecord withoutReservation() {
        return new LockRecord(kind, holders, Optional.empty());
    }

    /** @param waits on which replica a client waits; empty if it does not wait */
    boolean isReservedForOthers(Optional<String> waits) {
        return reservation.isPresent() && !waits.equals(reservation.map(Reservation::replica));
    }
}
