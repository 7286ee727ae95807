// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.consensus;

import io.quorumlock.consensus.RecordStore.Change;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.Release.Holder;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.lock.ResourceNames;
import io.quorumlock.time.MonotonicTime;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * The records of an operation, as a replica knows them at one time.
 *
 * @param records in the order of the resources; empty if there is no record of this service
 */
record Sightings(ResourceNames resources, List<Optional<Sighting>> records, MonotonicTime now) {

    List<Sighting> present() {
        return records.stream().flatMap(Optional::stream).toList();
    }

    /** Returns whether every resource has a record that meets the condition. */
    boolean all(Predicate<Sighting> condition) {
        return records.stream().allMatch(one -> one.filter(condition).isPresent());
    }

    /** Returns whether a lease is over: all its records end together, but this replica may have seen some of them late. */
    boolean isOver(Sighting lease) {
        return present().stream().anyMatch(one -> one.fence().equals(lease.fence()) && one.isExpired(now));
    }

    /** Returns how long the lease of all the records may still last. */
    Duration remaining() {
        return present().stream()
                .map(one -> one.remaining(now))
                .min(Comparator.naturalOrder())
                .orElseThrow();
    }

    /** Returns how long the lease of all the records lasts after a repeated acquire. */
    Duration rest() {
        return present().stream()
                .map(one -> one.rest(now))
                .min(Comparator.naturalOrder())
                .orElseThrow();
    }

    /** Returns one change for each present record that meets the condition. */
    List<Change> changes(Predicate<Sighting> condition, Function<Sighting, Change> change) {
        return present().stream().filter(condition).map(change).toList();
    }

    /** Returns changes that write the same text to all records. */
    List<Change> write(String text) {
        return IntStream.range(0, records.size())
                .mapToObj(i -> records.get(i)
                        .map(read -> Change.replace(read.stored(), text))
                        .orElseGet(() -> Change.create(resources.list().get(i), text)))
                .toList();
    }

    /** Returns the first resource without a record that meets the condition, of which there must be one. */
    Loss loss(LeaseToken token, Predicate<Sighting> condition) {
        int first = IntStream.range(0, records.size())
                .filter(i -> records.get(i).filter(condition).isEmpty())
                .findFirst()
                .orElseThrow();
        boolean another = records.get(first)
                .filter(one -> !one.isExpired(now))
                .filter(one -> !one.record().isKept() || !one.record().token().equals(token))
                .isPresent();
        return new Loss(
                another ? Holder.ANOTHER : Holder.NOBODY,
                Optional.of(resources.list().get(first)).filter(name -> resources.count() > 1));
    }

    /** Returns whether both show the same versions of all records. */
    boolean isSameAs(Sightings other) {
        return records.equals(other.records);
    }

    /**
     * The reason why a lease is lost.
     *
     * @param resource empty if the lease has one resource only
     */
    record Loss(Holder holder, Optional<ResourceName> resource) {}
}
