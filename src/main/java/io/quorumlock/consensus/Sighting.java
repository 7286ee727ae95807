// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.consensus;

import io.quorumlock.consensus.LockRecord.Reservation;
import io.quorumlock.consensus.SeenLease.FirstSeen;
import io.quorumlock.lock.FencingToken;
import io.quorumlock.lock.Inspection;
import io.quorumlock.lock.Inspection.HolderState;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.time.MonotonicTime;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * One version of the record of a lock, as this replica has seen it.
 *
 * @param first when this replica first knew of each write of the record. It does not change when another holder changes the
 *     record
 */
record Sighting(StoredRecord stored, LockRecord lock, Map<String, FirstSeen> first) {

    /**
     * Returns a version.
     *
     * @param first returns when this replica first knew of a write
     */
    static Sighting of(StoredRecord stored, LockRecord lock, Function<String, FirstSeen> first) {
        Map<String, FirstSeen> all = new HashMap<>();
        lock.holders().forEach(holder -> all.computeIfAbsent(holder.write(), first));
        lock.reservation().ifPresent(own -> all.computeIfAbsent(own.write(), first));
        return new Sighting(stored, lock, all);
    }

    ResourceName resource() {
        return stored.name();
    }

    /** Returns the leases of all holders, also those that are over. */
    List<SeenLease> leases() {
        return lock.holders().stream().map(this::seen).toList();
    }

    private SeenLease seen(LeaseRecord holder) {
        FencingToken fence = holder.fence().orElseGet(() -> new FencingToken(stored.revision()));
        return new SeenLease(resource(), holder, fence, first.get(holder.write()));
    }

    /** Returns which leases the record has, and whether their places are kept. */
    Map<SeenLease.Id, Boolean> places() {
        Map<SeenLease.Id, Boolean> places = new HashMap<>();
        leases().forEach(lease -> places.put(lease.id(), lease.record().kept()));
        return places;
    }

    /** Returns the leases that are not over. */
    List<SeenLease> unexpired(MonotonicTime now) {
        return leases().stream().filter(lease -> !lease.isOver(now)).toList();
    }

    /** Returns the reservation, if it is not over. */
    Optional<Reservation> reservation(MonotonicTime now) {
        return lock.reservation().filter(own -> now.isBefore(end(own)));
    }

    /** Returns when others may get the lock again. */
    MonotonicTime end(Reservation own) {
        return first.get(own.write()).since().plus(own.lasts());
    }

    /** Returns whether the record keeps nobody out. */
    boolean isOver(MonotonicTime now) {
        return reservation(now).isEmpty() && unexpired(now).isEmpty();
    }

    /** Returns the state of the lock for callers; empty if it is free. The store counts as one master. */
    Optional<Inspection.Held> held(MonotonicTime now) {
        List<HolderState> holders = unexpired(now).stream()
                .sorted(Comparator.comparing((SeenLease lease) -> lease.record().kept())
                        .thenComparing(lease -> lease.remaining(now), Comparator.reverseOrder()))
                .map(lease -> lease.state(now))
                .toList();
        return Optional.of(holders)
                .filter(all -> !all.isEmpty())
                .map(all -> Inspection.Held.of(all, lock.kind(), StoreVotes.ONE));
    }
}
