// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.consensus;

import io.quorumlock.consensus.RecordStore.Watcher;
import io.quorumlock.lock.LockDirectory.PageTerms;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.time.MonotonicClock;
import io.quorumlock.time.MonotonicTime;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The last known versions of all records, by their names. Restarts of the watch do not restart the count of a lease. */
final class KnownVersions {
    /** The revision of a record that existed before the watch and was not read yet. */
    static final long EXISTING = Watcher.UNKNOWN - 1;

    /** The revision of a record that is not known. */
    static final long NONE = EXISTING - 1;

    private final MonotonicClock clock;
    private final NavigableMap<ResourceName, KnownVersion> versions =
            new TreeMap<>(Comparator.comparing(ResourceName::text));
    /** What was known before the last restart of records that were not read since. */
    private final Map<ResourceName, KnownVersion> earlier = new HashMap<>();

    KnownVersions(MonotonicClock clock) {
        this.clock = clock;
    }

    Optional<KnownVersion> get(ResourceName name) {
        return Optional.ofNullable(versions.get(name));
    }

    void put(ResourceName name, KnownVersion version) {
        versions.put(name, version);
    }

    Optional<KnownVersion> remove(ResourceName name) {
        earlier.remove(name);
        return Optional.ofNullable(versions.remove(name));
    }

    /** Returns the revision of the last known version. */
    long revision(ResourceName name) {
        return get(name).map(KnownVersion::revision).orElse(NONE);
    }

    /** Returns a version that becomes known. It continues to count what was known, also before a restart. */
    KnownVersion next(ResourceName name, long revision) {
        MonotonicTime now = clock.now();
        KnownVersion before = get(name)
                .filter(version -> version.revision() != EXISTING)
                .or(() -> Optional.ofNullable(earlier.remove(name)))
                .orElseGet(() -> new KnownVersion(revision, now, Optional.empty()));
        return before.revision() == revision && revision != Watcher.UNKNOWN ? before : before.next(revision, now);
    }

    /** Forgets which records exist, until each is named again. */
    void restarted() {
        versions.forEach((name, version) -> {
            if (version.revision() != EXISTING) {
                earlier.put(name, version);
            }
        });
        versions.clear();
    }

    void exists(ResourceName name) {
        versions.putIfAbsent(name, new KnownVersion(EXISTING, clock.now(), Optional.empty()));
    }

    /** All records have been named since the restart. */
    void listed() {
        earlier.keySet().retainAll(versions.keySet());
    }

    /** Returns the names of a page in ascending order, and one more if another page follows. */
    List<ResourceName> names(PageTerms terms) {
        NavigableMap<ResourceName, KnownVersion> rest =
                terms.after().map(after -> versions.tailMap(after, false)).orElse(versions);
        return rest.keySet().stream()
                .filter(name -> terms.prefix().begins(name.text()))
                .limit(terms.limit() + 1L)
                .toList();
    }

    /** Returns the records that were not read and did not change lately. */
    List<ResourceName> unread(Duration unchangedFor) {
        MonotonicTime now = clock.now();
        return versions.entrySet().stream()
                .filter(entry -> entry.getValue().content().isEmpty())
                .filter(entry -> now.since(entry.getValue().at()).compareTo(unchangedFor) >= 0)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Returns the contents that were read. */
    Stream<KnownLock> contents() {
        return versions.values().stream().flatMap(version -> version.content().stream());
    }
}
