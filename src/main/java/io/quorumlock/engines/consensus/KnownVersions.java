// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.consensus;

import io.quorumlock.core.lock.LockDirectory.PageTerms;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.loop.MonotonicClock;
import io.quorumlock.core.loop.MonotonicTime;
import io.quorumlock.engines.consensus.RecordStore.Watcher;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiFunction;

/** The last known versions of all records, by their names. Restarts of the watch do not restart the count of a lease. */
final class KnownVersions {
    /** The revision of a record that existed before the watch and was not read yet. */
    static final long EXISTING = Watcher.UNKNOWN - 1;

    /** The revision of a record that is not known. */
    static final long NONE = EXISTING - 1;

    /** The records that one turn of the event loop searches: for about a tenth of a millisecond. */
    static final int SLICE_SIZE = 1_000;

    /**
     * The matches among some of the records.
     *
     * @param last the last of these records; empty if no more follow
     */
    record Slice<T>(List<T> found, Optional<ResourceName> last) {}

    private final MonotonicClock clock;
    private final NavigableMap<ResourceName, KnownVersion> versions =
            new TreeMap<>(Comparator.comparing(ResourceName::text));
    /** The versions before the last restart, of records that were not read since. */
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
        return after(terms.after()).keySet().stream()
                .filter(name -> terms.prefix().begins(name.text()))
                .limit(terms.limit() + 1L)
                .toList();
    }

    /**
     * Searches the next records in ascending order of their names, and no more than delays other calls.
     *
     * @param after the last record of the slice before
     * @param match returns what is found of a record
     */
    <T> Slice<T> search(Optional<ResourceName> after, BiFunction<ResourceName, KnownVersion, Optional<T>> match) {
        List<T> found = new ArrayList<>();
        int searched = 0;
        for (Map.Entry<ResourceName, KnownVersion> entry : after(after).entrySet()) {
            match.apply(entry.getKey(), entry.getValue()).ifPresent(found::add);
            searched++;
            if (searched == SLICE_SIZE) {
                return new Slice<>(found, Optional.of(entry.getKey()));
            }
        }
        return new Slice<>(found, Optional.empty());
    }

    private NavigableMap<ResourceName, KnownVersion> after(Optional<ResourceName> name) {
        return name.map(after -> versions.tailMap(after, false)).orElse(versions);
    }
}
