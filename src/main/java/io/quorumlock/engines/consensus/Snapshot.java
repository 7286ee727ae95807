// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.consensus;

import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.Release.Holder;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.core.loop.MonotonicTime;
import io.quorumlock.engines.consensus.RecordStore.Change;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The locks of an operation, as a replica knows them at one time, without what is over.
 *
 * @param locks in the order of the resources
 */
record Snapshot(ResourceNames resources, List<KnownLock> locks, MonotonicTime now) {

    /** Returns what is not over. A lease ends on all its resources, but a replica may have seen some of them late. */
    static Snapshot of(ResourceNames resources, List<KnownLock> known, MonotonicTime now) {
        Set<KnownLease.Id> ended = known.stream()
                .flatMap(lock -> lock.leases().stream())
                .filter(lease -> lease.isOver(now))
                .map(KnownLease::id)
                .collect(Collectors.toSet());
        return new Snapshot(
                resources, known.stream().map(lock -> lock.without(ended, now)).toList(), now);
    }

    /** Returns the first lock, whose kind is that of all. */
    KnownLock first() {
        return locks.get(0);
    }

    /** Returns the leases that meet the condition, on all resources. */
    List<KnownLease> leases(Predicate<KnownLease> condition) {
        return locks.stream()
                .flatMap(lock -> lock.leases().stream())
                .filter(condition)
                .toList();
    }

    /** Returns whether every resource has a lease that meets the condition. */
    boolean all(Predicate<KnownLease> condition) {
        return locks.stream().allMatch(lock -> lock.leases().stream().anyMatch(condition));
    }

    Snapshot with(List<KnownLock> others) {
        return new Snapshot(resources, others, now);
    }

    private Snapshot map(UnaryOperator<KnownLock> change) {
        return with(locks.stream().map(change).toList());
    }

    /** Returns the locks after a write of one lease on each of them. */
    Snapshot with(LeaseRecord lease) {
        return map(lock -> lock.with(new KnownLease(lock.resource(), lease, FirstSeen.ofOwn(now))));
    }

    /** Returns the locks without the leases that meet the condition. */
    Snapshot without(Predicate<KnownLease> condition) {
        return map(lock -> lock.withLeases(
                lock.leases().stream().filter(condition.negate()).toList()));
    }

    /**
     * Returns the locks after the release of the leases that meet the condition.
     *
     * @param keep how long their places stay taken; zero to remove them
     */
    Snapshot released(Predicate<KnownLease> condition, Duration keep, String write) {
        if (keep.isZero()) {
            return without(condition);
        }
        UnaryOperator<KnownLease> release = lease -> new KnownLease(
                lease.resource(), lease.record().rewritten(write, keep).released(), FirstSeen.ofOwn(now));
        return map(lock -> lock.withLeases(lock.leases().stream()
                .map(lease -> condition.test(lease) ? release.apply(lease) : lease)
                .toList()));
    }

    /** Returns the changes of records that lead to these locks. */
    List<Change> changesTo(Snapshot next) {
        return IntStream.range(0, locks.size())
                .boxed()
                .flatMap(index -> next.locks.get(index).changeFrom(locks.get(index)).stream())
                .toList();
    }

    /** Returns the locks after these records were written. */
    Snapshot written(List<StoredRecord> records, MonotonicTime then) {
        Map<ResourceName, StoredRecord> byName =
                records.stream().collect(Collectors.toMap(StoredRecord::name, Function.identity()));
        List<KnownLock> next = locks.stream()
                .map(lock -> Optional.ofNullable(byName.get(lock.resource()))
                        .map(lock::written)
                        .orElse(lock))
                .toList();
        return new Snapshot(resources, next, then);
    }

    /** Returns the lease of a write, which may be over. */
    KnownLease written(String write) {
        return leases(lease -> lease.hasWrite(write)).get(0);
    }

    /** Returns the first resource without a lease that meets the condition, of which there must be one. */
    Loss loss(LeaseToken token, Predicate<KnownLease> condition) {
        KnownLock lost = locks.stream()
                .filter(lock -> lock.leases().stream().noneMatch(condition))
                .findFirst()
                .orElseThrow();
        boolean another = lost.kind().isExclusive()
                && lost.leases().stream()
                        .anyMatch(lease ->
                                !lease.token().equals(token) || !lease.record().kept());
        return new Loss(
                another ? Holder.ANOTHER : Holder.NOBODY,
                resources.count() > 1 ? Optional.of(lost.resource()) : Optional.empty());
    }

    /** Returns whether both show the same versions of all records. */
    boolean hasVersionsOf(Snapshot other) {
        return versions().equals(other.versions());
    }

    private List<Optional<StoredRecord>> versions() {
        return locks.stream().map(KnownLock::stored).toList();
    }

    /** Returns how long the leases may still last, of which there must be one. */
    Duration remaining(List<KnownLease> leases) {
        return least(leases, lease -> lease.remaining(now));
    }

    /** Returns how long the leases last after a repeated acquire. */
    Duration rest(List<KnownLease> leases) {
        return least(leases, lease -> lease.rest(now));
    }

    private static Duration least(List<KnownLease> leases, Function<KnownLease, Duration> time) {
        return leases.stream().map(time).min(Comparator.naturalOrder()).orElseThrow();
    }

    /**
     * The reason why a lease is lost.
     *
     * @param resource empty if the lease has one resource only
     */
    record Loss(Holder holder, Optional<ResourceName> resource) {}
}
