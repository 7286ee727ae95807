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
 * The records of the store as this replica knows them, and since when. It learns versions and contents from the watch and
 * from replies, whichever is first; a store may report versions only. A revision is never used twice, so that a wrong or
 * old entry can delay a client, but no change that is based on it is made, and a version that is found again after a
 * reconnect is the same.
 */
final class Records implements RecordStore.Watcher {
    /** The revision of a record that existed before the watch and was not read yet. */
    private static final long EXISTING = UNKNOWN - 1;

    private static final long NONE = EXISTING - 1;

    private final RecordStore store;
    private final MonotonicClock clock;
    private final Map<ResourceName, Version> versions = new HashMap<>();
    /** What was known before the last restart of records that were not read since. */
    private final Map<ResourceName, Version> earlier = new HashMap<>();

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

        /** Called when a new version was reported without its content. */
        default void changed(ResourceName name) {}

        /** Called once for each new version whose content becomes known. */
        default void written(Sighting lease) {}

        /** Called once for each deleted record. @param last the record, if this replica had read it */
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

    /** Returns the records of all leases that are not over, as far as this replica knows. */
    List<Sighting> unexpired() {
        MonotonicTime now = now();
        return versions.values().stream()
                .flatMap(version -> version.content().stream())
                .filter(lease -> !lease.isExpired(now))
                .toList();
    }

    MonotonicTime now() {
        return clock.now();
    }

    /** Returns the records that were not read and did not change lately. */
    List<ResourceName> unread(Duration unchangedFor) {
        MonotonicTime now = now();
        return versions.entrySet().stream()
                .filter(entry -> entry.getValue().content().isEmpty())
                .filter(entry -> now.since(entry.getValue().since()).compareTo(unchangedFor) >= 0)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Returns the records that were read and whose leases are over. */
    List<Sighting> expired() {
        MonotonicTime now = now();
        return versions.values().stream()
                .flatMap(version -> version.content().stream())
                .filter(lease -> lease.isExpired(now))
                .toList();
    }

    /** Reads a record, again while it changes. */
    void read(ResourceName name, Consumer<StoreReply> reply) {
        Version before = versions.get(name);
        store.read(name, result -> {
            boolean unchanged = versions.get(name) == before;
            if (!unchanged && isOutdated(name, result)) {
                read(name, reply);
                return;
            }
            if (result instanceof StoreReply.Found found) {
                learn(found.record(), Optional.empty());
            } else if (result instanceof StoreReply.Absent && unchanged) {
                forget(name);
            }
            reply.accept(result);
        });
    }

    /** Returns whether a record that changed during the read was deleted or created, or has a content that is not known. */
    private boolean isOutdated(ResourceName name, StoreReply result) {
        if (result instanceof StoreReply.Found found) {
            return !isKnown(name) || isUnread(name) && found.record().revision() < revision(name);
        }
        return result instanceof StoreReply.Absent && isKnown(name);
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
        Optional<MonotonicTime> sent = Optional.of(now());
        store.commit(changes, result -> {
            if (result instanceof StoreReply.Committed committed) {
                changes.stream().filter(change -> change.text().isEmpty()).forEach(this::forgetDeleted);
                committed.written().forEach(record -> learn(record, sent));
            }
            reply.accept(result);
        });
    }

    private void forgetDeleted(Change delete) {
        if (revision(delete.name()) <= delete.read().orElseThrow().revision()) {
            forget(delete.name());
        }
    }

    /** @param sent when this replica sent the write; empty if it does not know that it made it */
    private void learn(StoredRecord stored, Optional<MonotonicTime> sent) {
        long known = revision(stored.name());
        if (known > stored.revision()) {
            return;
        }
        Version last = versions.get(stored.name());
        boolean isNew = known < stored.revision();
        Optional<Version> same = isNew ? earlier(stored) : Optional.of(last);
        MonotonicTime since = same.map(Version::since).orElseGet(this::now);
        boolean isRead = !isNew && last.content().isPresent();
        Optional<Sighting> content = Sighting.of(
                stored, since, sent.or(() -> same.flatMap(Version::content).flatMap(Sighting::sent)));
        versions.put(stored.name(), new Version(stored.revision(), since, content));
        if (known != EXISTING && !isRead) {
            content.ifPresent(lease -> listeners.forEach(listener -> listener.written(lease)));
        }
    }

    /** Returns what was known of this version before the last restart. */
    private Optional<Version> earlier(StoredRecord stored) {
        return Optional.ofNullable(earlier.remove(stored.name()))
                .filter(version -> version.revision() == stored.revision());
    }

    /** Returns the revision of the last known version; less than all others if there is none. */
    private long revision(ResourceName name) {
        Version known = versions.get(name);
        return known == null ? NONE : known.revision();
    }

    private void forget(ResourceName name) {
        Version last = versions.remove(name);
        earlier.remove(name);
        if (last != null) {
            listeners.forEach(listener -> listener.removed(name, last.content()));
        }
    }

    @Override
    public void restarted() {
        versions.forEach((name, version) -> {
            if (version.revision() > UNKNOWN) {
                earlier.put(name, version);
            }
        });
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
        versions.putIfAbsent(name, new Version(EXISTING, now(), Optional.empty()));
    }

    @Override
    public void listed() {
        earlier.keySet().retainAll(versions.keySet());
    }

    @Override
    public void changed(ResourceName name, long revision) {
        if (revision(name) < revision || revision == UNKNOWN) {
            versions.put(name, new Version(revision, now(), Optional.empty()));
            listeners.forEach(listener -> listener.changed(name));
        }
    }

    @Override
    public void written(StoredRecord record) {
        if (revision(record.name()) < record.revision()) {
            versions.put(record.name(), new Version(record.revision(), now(), Optional.empty()));
        }
        learn(record, Optional.empty());
    }

    @Override
    public void removed(ResourceName name, long revision) {
        if (revision(name) < revision || revision == UNKNOWN) {
            forget(name);
        }
    }
}
