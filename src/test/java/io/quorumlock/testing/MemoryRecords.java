// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import io.quorumlock.core.lock.NoQuorumReason.Effect;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.engines.consensus.RecordStore.Change;
import io.quorumlock.engines.consensus.RecordStore.StoredUptime;
import io.quorumlock.engines.consensus.RecordStore.Watcher;
import io.quorumlock.engines.consensus.StoreReply;
import io.quorumlock.engines.consensus.StoredRecord;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** The records of a linearizable store, in memory. */
public final class MemoryRecords {
    private final SortedMap<ResourceName, StoredRecord> records =
            new TreeMap<>(Comparator.comparing(ResourceName::text));
    private final Consumer<Consumer<Watcher>> watchers;
    private long revision;
    private StoredUptime uptime = new StoredUptime("", 0, 0);
    private boolean tellsConflicts;
    private boolean full;

    /** @param watchers receives what to report to every watcher */
    public MemoryRecords(Consumer<Consumer<Watcher>> watchers) {
        this.watchers = watchers;
    }

    /** Returns the names of all records. */
    public List<ResourceName> names() {
        return List.copyOf(records.keySet());
    }

    /** Lets the replies to refused changes have the present records, as those of etcd. */
    void tellConflicts() {
        tellsConflicts = true;
    }

    /** Lets it refuse to write records, as a store without space. */
    void fill() {
        full = true;
    }

    /** Reads records. */
    public StoreReply read(List<ResourceName> names) {
        return new StoreReply.Found(present(names.stream()));
    }

    private List<Optional<StoredRecord>> present(Stream<ResourceName> names) {
        return names.map(name -> Optional.ofNullable(records.get(name))).toList();
    }

    /** Makes all changes, or none. */
    public StoreReply commit(List<Change> changes) {
        if (!changes.stream().allMatch(this::isPossible)) {
            return tellsConflicts
                    ? new StoreReply.Conflict(present(changes.stream().map(Change::name)))
                    : StoreReply.Conflict.UNTOLD;
        }
        if (full && changes.stream().anyMatch(change -> change.text().isPresent())) {
            return new StoreReply.Failed(Effect.NONE);
        }
        revision++;
        return new StoreReply.Committed(
                changes.stream().flatMap(change -> make(change).stream()).toList());
    }

    /** Returns the uptime. */
    public StoredUptime uptime() {
        return uptime;
    }

    /** Writes the uptime, if it is as it was read, and returns what it is then. */
    public StoredUptime writeUptime(StoredUptime read, String text) {
        if (uptime.equals(read)) {
            revision++;
            uptime = new StoredUptime(text, revision, read.version() + 1);
        }
        return uptime;
    }

    private boolean isPossible(Change change) {
        Optional<String> present =
                Optional.ofNullable(records.get(change.name())).map(StoredRecord::version);
        return present.equals(change.read().map(StoredRecord::version));
    }

    private Optional<StoredRecord> make(Change change) {
        ResourceName name = change.name();
        if (change.text().isPresent()) {
            return change.text().map(text -> write(name, text));
        }
        records.remove(name);
        long deleted = revision;
        watchers.accept(watcher -> watcher.removed(name, deleted));
        return Optional.empty();
    }

    private StoredRecord write(ResourceName name, String text) {
        StoredRecord record = new StoredRecord(name, text, revision, Long.toString(revision));
        records.put(name, record);
        watchers.accept(watcher -> watcher.changed(name, record.revision()));
        return record;
    }
}
