// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.consensus;

import io.quorumlock.consensus.RecordStore.Change;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.time.MonotonicClock;
import io.quorumlock.time.MonotonicTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The records of the store as this replica knows them, and since when. It learns versions from the watch and from
 * replies, and contents from replies only. A revision is never used twice, so that a wrong or old entry can delay a
 * client, but no change that is based on it is made.
 */
final class Records implements RecordStore.Watcher {
    private final RecordStore store;
    private final MonotonicClock clock;
    private final Map<ResourceName, Version> versions = new HashMap<>();
    private final List<Listener> listeners = new ArrayList<>();
    private boolean watched;

    /** @param content empty if this version was not read yet, or if another program wrote it */
    private record Version(long revision, MonotonicTime since, Optional<Sighting> content) {}

    /** A listener for changes of records. */
    interface Listener {
        /** Called when all records are reported from now on. Earlier changes may be missing. */
        void restarted();

        /** Called when changes since then may be missing. */
        default void lost(MonotonicTime since) {}

        default void changed(ResourceName name) {}

        /** @param last the deleted record, if this replica had read it */
        void removed(ResourceName name, Optional<Sighting> last);
    }

    Records(RecordStore store, MonotonicClock clock) {
        this.store = store;
        this.clock = clock;
    }

    void add(Listener listener) {
        listeners.add(listener);
    }

    /** Returns whether changes are reported now. */
    boolean areWatched() {
        return watched;
    }

    /** Returns whether a record is known to exist. */
    boolean isKnown(ResourceName name) {
        return versions.containsKey(name);
    }

    /** Returns whether a record is known to exist, but not what it contains. */
    boolean isUnread(ResourceName name) {
        return isKnown(name) && known(name).isEmpty();
    }

    /** Returns the last known version of a record; empty if there is none, or if it was not read. */
    Optional<Sighting> known(ResourceName name) {
        return Optional.ofNullable(versions.get(name)).flatMap(Version::content);
    }

    /** Returns the record of a lease that is not over, as far as this replica knows. */
    Optional<Sighting> unexpired(ResourceName name) {
        return known(name).filter(lease -> !lease.isExpired(now()));
    }

    MonotonicTime now() {
        return clock.now();
    }

    /** Returns the records of which no change is known for longer than this. */
    List<ResourceName> unchangedFor(Duration age) {
        MonotonicTime now = now();
        return versions.entrySet().stream()
                .filter(entry -> now.since(entry.getValue().since()).compareTo(age) > 0)
                .map(Map.Entry::getKey)
                .toList();
    }

    void read(ResourceName name, Consumer<StoreReply> reply) {
        store.read(name, result -> {
            if (result instanceof StoreReply.Found found) {
                learn(found.record());
            } else if (result instanceof StoreReply.Absent) {
                versions.remove(name);
            }
            reply.accept(result);
        });
    }

    /** Reads several records at once, one by one. @param complete receives whether all could be read */
    void read(List<ResourceName> names, Consumer<Boolean> complete) {
        List<StoreReply> replies = new ArrayList<>();
        names.forEach(name -> read(name, reply -> {
            replies.add(reply);
            if (replies.size() == names.size()) {
                complete.accept(replies.stream().noneMatch(StoreReply.Failed.class::isInstance));
            }
        }));
    }

    void commit(List<Change> changes, Consumer<StoreReply> reply) {
        store.commit(changes, result -> {
            if (result instanceof StoreReply.Committed committed) {
                changes.forEach(this::forgetDeleted);
                committed.written().forEach(this::learn);
            }
            reply.accept(result);
        });
    }

    private void forgetDeleted(Change change) {
        if (change instanceof Change.Delete delete) {
            versions.remove(delete.read().name());
        }
    }

    private void learn(StoredRecord stored) {
        MonotonicTime since = Optional.ofNullable(versions.get(stored.name()))
                .filter(version -> version.revision() == stored.revision())
                .map(Version::since)
                .orElseGet(this::now);
        Optional<Sighting> content = LockRecord.parse(stored.text()).map(record -> new Sighting(stored, record, since));
        versions.put(stored.name(), new Version(stored.revision(), since, content));
    }

    @Override
    public void restarted() {
        versions.clear();
        watched = true;
        listeners.forEach(Listener::restarted);
    }

    @Override
    public void lost(MonotonicTime since) {
        watched = false;
        listeners.forEach(listener -> listener.lost(since));
    }

    @Override
    public void exists(ResourceName name) {
        versions.putIfAbsent(name, new Version(UNKNOWN, now(), Optional.empty()));
    }

    @Override
    public void changed(ResourceName name, long revision) {
        Version known = versions.get(name);
        if (known == null || known.revision() < revision || revision == UNKNOWN) {
            versions.put(name, new Version(revision, now(), Optional.empty()));
            listeners.forEach(listener -> listener.changed(name));
        }
    }

    @Override
    public void removed(ResourceName name, long revision) {
        Version known = versions.get(name);
        if (known != null && known.revision() > revision && revision != UNKNOWN) {
            return;
        }
        versions.remove(name);
        Optional<Sighting> last = Optional.ofNullable(known).flatMap(Version::content);
        listeners.forEach(listener -> listener.removed(name, last));
    }
}
