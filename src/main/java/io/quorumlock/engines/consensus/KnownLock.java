// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.consensus;

import io.quorumlock.core.lock.Acquisition.Held.Taken;
import io.quorumlock.core.lock.Inspection;
import io.quorumlock.core.lock.Inspection.HolderState;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.loop.MonotonicTime;
import io.quorumlock.engines.consensus.LockRecord.Reservation;
import io.quorumlock.engines.consensus.RecordStore.Change;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/**
 * A lock, as this replica knows it.
 *
 * @param stored the version of its record; empty if there is none
 * @param kind of the lock while it has holders
 * @param leases in the order of their acquires
 * @param waiting the replicas whose waiting clients were refused because of the holder
 */
record KnownLock(
        ResourceName resource,
        Optional<StoredRecord> stored,
        LockKind kind,
        List<KnownLease> leases,
        Optional<KnownReservation> reservation,
        List<String> waiting) {

    /** The reservation of a shared lock, as this replica knows it. */
    record KnownReservation(Reservation record, FirstSeen first) {
        boolean isOver(MonotonicTime now) {
            return !now.isBefore(end());
        }

        /** Returns whether an earlier one lasts for most of the time of this one: the next attempt comes before its end. */
        boolean isLongCoveredBy(KnownReservation earlier, MonotonicTime now) {
            Duration nextAttempt = record.lasts().multipliedBy(3).dividedBy(4);
            return !earlier.end().isBefore(now.plus(nextAttempt));
        }

        MonotonicTime end() {
            return first.since().plus(record.lasts());
        }
    }

    /** Returns a lock without a record. */
    static KnownLock free(ResourceName resource) {
        return new KnownLock(resource, Optional.empty(), LockKind.EXCLUSIVE, List.of(), Optional.empty(), List.of());
    }

    /**
     * Returns the lock of a version.
     *
     * @param first returns when a write with a revision was first known
     */
    static KnownLock of(StoredRecord stored, LockRecord content, BiFunction<String, Long, FirstSeen> first) {
        List<KnownLease> leases = content.writtenAt(stored.revision()).leases().stream()
                .map(lease -> new KnownLease(
                        stored.name(),
                        lease,
                        first.apply(lease.write(), lease.revision().orElseThrow())))
                .toList();
        Optional<KnownReservation> reservation = content.reservation()
                .map(one -> new KnownReservation(one, first.apply(one.write(), stored.revision())));
        return new KnownLock(
                stored.name(), Optional.of(stored), content.kind(), leases, reservation, content.waiting());
    }

    LockRecord content() {
        return new LockRecord(
                kind,
                leases.stream().map(KnownLease::record).toList(),
                reservation.map(KnownReservation::record),
                waiting);
    }

    boolean isFree() {
        return leases.isEmpty() && reservation.isEmpty();
    }

    /** Returns when this replica first knew of each write of the lock. */
    Map<String, FirstSeen> firstSeen() {
        Map<String, FirstSeen> all = new HashMap<>();
        leases.forEach(lease -> all.put(lease.record().write(), lease.first()));
        reservation.ifPresent(one -> all.put(one.record().write(), one.first()));
        return all;
    }

    /** Returns whether the place of each lease is kept. */
    Map<KnownLease.Id, Boolean> keptById() {
        Map<KnownLease.Id, Boolean> kept = new HashMap<>();
        leases.forEach(lease -> kept.put(lease.id(), lease.record().kept()));
        return kept;
    }

    /** Returns the leases that are not over. */
    List<KnownLease> unexpired(MonotonicTime now) {
        return leases.stream().filter(lease -> !lease.isOver(now)).toList();
    }

    /** Returns whether the record keeps nobody out. */
    boolean isOver(MonotonicTime now) {
        return unexpired(now).isEmpty()
                && reservation.filter(one -> !one.isOver(now)).isEmpty();
    }

    /** Returns the lock without these leases, and without a reservation that is over. */
    KnownLock without(Set<KnownLease.Id> ended, MonotonicTime now) {
        List<KnownLease> rest =
                leases.stream().filter(lease -> !ended.contains(lease.id())).toList();
        return new KnownLock(resource, stored, kind, rest, reservation.filter(one -> !one.isOver(now)), waiting);
    }

    KnownLock withLeases(List<KnownLease> others) {
        return new KnownLock(resource, stored, kind, others, reservation, waiting);
    }

    /** Returns the lock with a lease in the place of that with the same token, or added. */
    KnownLock with(KnownLease lease) {
        boolean isNew = lease(lease.token()).isEmpty();
        return withLeases(
                isNew
                        ? Stream.concat(leases.stream(), Stream.of(lease)).toList()
                        : leases.stream()
                                .map(one -> one.token().equals(lease.token()) ? lease : one)
                                .toList());
    }

    KnownLock with(KnownReservation other) {
        return new KnownLock(resource, stored, kind, leases, Optional.of(other), waiting);
    }

    /** Returns the lock with the name of a replica that waits for the holder of an exclusive lock. */
    KnownLock awaitedBy(String replica) {
        if (!kind.isExclusive() || leases.isEmpty() || waiting.contains(replica)) {
            return this;
        }
        List<String> all = Stream.concat(waiting.stream(), Stream.of(replica)).toList();
        return new KnownLock(resource, stored, kind, leases, reservation, all);
    }

    /** Returns the lock for the next holder, without a reservation and without the replicas that waited for the last one. */
    KnownLock open(LockKind next) {
        return new KnownLock(resource, stored, next, leases, Optional.empty(), List.of());
    }

    /** Returns the lease of a token, which may be released and kept. */
    Optional<KnownLease> lease(LeaseToken token) {
        return leases.stream().filter(one -> one.token().equals(token)).findFirst();
    }

    /** Returns the lease of an exclusive lock. */
    Optional<KnownLease> onlyLease() {
        return kind.isExclusive() ? leases.stream().findFirst() : Optional.empty();
    }

    /** @param waits on which replica a client waits; empty if it does not wait */
    boolean isReservedForOthers(Optional<String> waits) {
        return reservation.isPresent()
                && !waits.equals(reservation.map(one -> one.record().replica()));
    }

    /** Returns what a client may know that is refused because of the reservation, which there must be. */
    Taken reserved(MonotonicTime now) {
        return new Taken(
                resource, Optional.empty(), reservation.orElseThrow().end().since(now), Optional.empty(), false, true);
    }

    /** Returns the lock after it was written. */
    KnownLock written(StoredRecord version) {
        Map<String, FirstSeen> first = firstSeen();
        return of(version, content(), (write, revision) -> first.get(write));
    }

    /** Returns the change of the record that leads from the lock as it was; empty if there is none. */
    Optional<Change> changeFrom(KnownLock before) {
        if (equals(before)) {
            return Optional.empty();
        }
        if (isFree()) {
            return before.stored.map(Change::delete);
        }
        String text = RecordText.of(content());
        return Optional.of(
                before.stored.map(read -> Change.replace(read, text)).orElseGet(() -> Change.create(resource, text)));
    }

    /** Returns the state of the lock for callers; empty if it is free. The store counts as one master. */
    Optional<Inspection.Held> held(MonotonicTime now) {
        List<HolderState> holders = unexpired(now).stream()
                .sorted(Comparator.comparing(
                                (KnownLease lease) -> lease.record().kept())
                        .thenComparing(lease -> lease.remaining(now), Comparator.reverseOrder()))
                .map(lease -> lease.state(now))
                .toList();
        return holders.isEmpty() ? Optional.empty() : Optional.of(Inspection.Held.of(holders, kind, StoreVotes.ONE));
    }
}
