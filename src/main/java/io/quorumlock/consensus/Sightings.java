// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.consensus;

import io.quorumlock.consensus.RecordStore.Change;
import io.quorumlock.consensus.SeenLease.FirstSeen;
import io.quorumlock.lock.Acquisition.Held.Taken;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.Release.Holder;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.lock.ResourceNames;
import io.quorumlock.time.MonotonicTime;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The records of an operation, as a replica knows them at one time.
 *
 * @param records in the order of the resources; empty if there is no record of this service
 */
record Sightings(ResourceNames resources, List<Optional<Sighting>> records, MonotonicTime now) {

    /** Returns the leases on one of the resources that are not over. */
    List<SeenLease> leases(int place) {
        return records.get(place).stream()
                .flatMap(record -> record.leases().stream())
                .filter(lease -> !isOver(lease))
                .toList();
    }

    /** Returns whether a lease is over: it ends on all its resources, but this replica may have seen some of them late. */
    private boolean isOver(SeenLease lease) {
        return lease.isOver(now)
                || records.size() > 1
                        && records.stream()
                                .flatMap(Optional::stream)
                                .flatMap(record -> record.leases().stream())
                                .anyMatch(one -> one.id().equals(lease.id()) && one.isOver(now));
    }

    /** Returns the leases that are not over and meet the condition, on all resources. */
    List<SeenLease> leases(Predicate<SeenLease> condition) {
        return places().flatMap(place -> leases(place).stream())
                .filter(condition)
                .toList();
    }

    /** Returns whether every resource has a lease that is not over and meets the condition. */
    boolean all(Predicate<SeenLease> condition) {
        return places().allMatch(place -> leases(place).stream().anyMatch(condition));
    }

    /** Returns the content of a record without what is over. */
    LockRecord current(int place) {
        return records.get(place)
                .map(record -> new LockRecord(
                        record.lock().kind(),
                        leases(place).stream().map(SeenLease::record).toList(),
                        record.reservation(now)))
                .orElse(LockRecord.FREE);
    }

    /** Returns the contents of all records after a change of one holder of each. */
    List<LockRecord> with(LeaseRecord holder) {
        return places().map(place -> current(place).with(holder)).toList();
    }

    /**
     * Returns the contents of all records after the end of the leases that meet the condition.
     *
     * @param keep how long their places stay taken; zero to remove them
     */
    List<LockRecord> ended(Predicate<SeenLease> condition, Duration keep, String write) {
        return keep.isZero()
                ? without(condition)
                : changed(lease -> condition.test(lease)
                        ? Stream.of(lease.record()
                                .rewritten(write, lease.fence(), keep)
                                .released())
                        : Stream.of(lease.record()));
    }

    /** Returns the contents of all records without the leases that meet the condition. */
    List<LockRecord> without(Predicate<SeenLease> condition) {
        return changed(lease -> condition.test(lease) ? Stream.empty() : Stream.of(lease.record()));
    }

    private List<LockRecord> changed(Function<SeenLease, Stream<LeaseRecord>> change) {
        return places().map(place -> current(place)
                        .withHolders(leases(place).stream().flatMap(change).toList()))
                .toList();
    }

    /** Returns what this replica will know after these contents were written. New writes count from this decision. */
    Sightings after(List<LockRecord> contents) {
        List<Optional<Sighting>> next =
                places().map(place -> after(place, contents.get(place))).toList();
        return new Sightings(resources, next, now);
    }

    private Optional<Sighting> after(int place, LockRecord content) {
        Optional<Sighting> before = records.get(place);
        // The store gives the revision.
        StoredRecord stored = before.map(Sighting::stored)
                .orElseGet(() -> new StoredRecord(resources.list().get(place), "", 1, ""));
        return Optional.of(content)
                .filter(record -> !record.isFree())
                .map(record -> Sighting.of(stored, record, write -> before.map(Sighting::first)
                        .map(known -> known.get(write))
                        .orElseGet(() -> new FirstSeen(now, Optional.of(now)))));
    }

    /** Returns the changes that lead to these contents. */
    List<Change> changesTo(Sightings next) {
        return places().flatMap(place ->
                        change(resources.list().get(place), records.get(place), next.records.get(place)).stream())
                .toList();
    }

    private static Optional<Change> change(ResourceName name, Optional<Sighting> before, Optional<Sighting> after) {
        if (after.isEmpty()) {
            return before.map(record -> Change.delete(record.stored()));
        }
        LockRecord content = after.get().lock();
        if (before.isEmpty()) {
            return Optional.of(Change.create(name, RecordText.of(content)));
        }
        return before.filter(record -> !record.lock().equals(content))
                .map(record -> Change.replace(record.stored(), RecordText.of(content)));
    }

    /** Returns the locks after these records were written. */
    Sightings stored(List<StoredRecord> written, MonotonicTime then) {
        Map<ResourceName, StoredRecord> byName =
                written.stream().collect(Collectors.toMap(StoredRecord::name, Function.identity()));
        List<Optional<Sighting>> next = records.stream()
                .map(one -> one.map(record -> new Sighting(
                        byName.getOrDefault(record.resource(), record.stored()), record.lock(), record.first())))
                .toList();
        return new Sightings(resources, next, then);
    }

    /** Returns the lease of a write, which may be over. */
    Optional<SeenLease> written(String write) {
        return records.stream()
                .flatMap(Optional::stream)
                .flatMap(record -> record.leases().stream())
                .filter(lease -> lease.record().write().equals(write))
                .findFirst();
    }

    /** Returns what a client may know that is refused because of a reservation, which there must be. */
    Taken reserved(int place) {
        Sighting record = records.get(place).orElseThrow();
        Duration left = record.end(record.reservation(now).orElseThrow()).since(now);
        return new Taken(record.resource(), Optional.empty(), left, Optional.empty(), false, true);
    }

    /** Returns the first resource without a lease that meets the condition, of which there must be one. */
    Loss loss(LeaseToken token, Predicate<SeenLease> condition) {
        int first = places().filter(place -> leases(place).stream().noneMatch(condition))
                .findFirst()
                .orElseThrow();
        boolean another = current(first).kind().isExclusive()
                && leases(first).stream()
                        .anyMatch(lease -> !lease.record().token().equals(token)
                                || !lease.record().kept());
        return new Loss(
                another ? Holder.ANOTHER : Holder.NOBODY,
                Optional.of(resources.list().get(first)).filter(name -> resources.count() > 1));
    }

    /** Returns whether both show the same versions of all records. */
    boolean isSameAs(Sightings other) {
        return records.equals(other.records);
    }

    /** Returns how long the leases may still last, of which there must be one. */
    Duration remaining(List<SeenLease> leases) {
        return least(leases, lease -> lease.remaining(now));
    }

    /** Returns how long the leases last after a repeated acquire. */
    Duration rest(List<SeenLease> leases) {
        return least(leases, lease -> lease.rest(now));
    }

    private static Duration least(List<SeenLease> leases, Function<SeenLease, Duration> time) {
        return leases.stream().map(time).min(Comparator.naturalOrder()).orElseThrow();
    }

    Stream<Integer> places() {
        return IntStream.range(0, records.size()).boxed();
    }

    /**
     * The reason why a lease is lost.
     *
     * @param resource empty if the lease has one resource only
     */
    record Loss(Holder holder, Optional<ResourceName> resource) {}
}
