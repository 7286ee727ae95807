// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.consensus;

import io.quorumlock.core.lock.LockDirectory.PageTerms;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.core.loop.MonotonicClock;
import io.quorumlock.core.loop.MonotonicTime;
import io.quorumlock.engines.consensus.KnownVersions.Slice;
import io.quorumlock.engines.consensus.RecordStore.Change;
import io.quorumlock.engines.consensus.RecordStore.StoredUptime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jboss.logging.Logger;

/**
 * The records of the store as this replica knows them, and since when. It learns versions and contents from the watch and
 * from replies, whichever is first; a store may report versions only. A revision is never used twice, so that a wrong or
 * old entry can delay a client, but no change that is based on it is made.
 */
final class Records implements RecordStore.Watcher {
    private static final Logger LOG = Logger.getLogger(Records.class);

    private final RecordStore store;
    private final MonotonicClock clock;
    private final KnownVersions versions;
    private final Uptime uptime;
    private final List<RecordListener> listeners = new ArrayList<>();
    private boolean watched;
    /** The largest revision of the reports of the watch, which are in order. */
    private long reported = KnownVersions.NONE;

    /** @param ttlMax the longest TTL of any lease */
    Records(RecordStore store, Duration ttlMax, MonotonicClock clock) {
        this.store = store;
        this.clock = clock;
        this.versions = new KnownVersions(clock);
        this.uptime = new Uptime(ttlMax, clock);
    }

    void add(RecordListener listener) {
        listeners.add(listener);
    }

    /** Returns whether changes are reported now. */
    boolean areWatched() {
        return watched;
    }

    /** Returns whether a record is known to exist. */
    boolean isKnown(ResourceName name) {
        return versions.get(name).isPresent();
    }

    /** Returns whether a record is known to exist, but not what it contains. */
    boolean isUnread(ResourceName name) {
        return isKnown(name) && known(name).isEmpty();
    }

    /** Returns the last known version of a record; empty if there is none, or if it was not read. */
    Optional<KnownLock> known(ResourceName name) {
        return versions.get(name).flatMap(KnownVersion::content);
    }

    /** Returns the locks of an operation as they are known. */
    Snapshot snapshot(ResourceNames resources) {
        return Snapshot.of(
                resources,
                resources.list().stream()
                        .map(name -> known(name).orElseGet(() -> KnownLock.free(name)))
                        .toList(),
                now());
    }

    /** Returns the names of a page in ascending order, and one more if another page follows. */
    List<ResourceName> names(PageTerms terms) {
        return versions.names(terms);
    }

    MonotonicTime now() {
        return clock.now();
    }

    /** Searches some records for those that were not read and did not change lately. */
    Slice<ResourceName> unread(Duration unchangedFor, Optional<ResourceName> after) {
        MonotonicTime now = now();
        return versions.search(after, (name, version) -> Optional.of(name)
                .filter(unread -> version.content().isEmpty())
                .filter(unread -> now.since(version.at()).compareTo(unchangedFor) >= 0));
    }

    /** Searches some records for those that were read and keep nobody out. */
    Slice<KnownLock> expired(Optional<ResourceName> after) {
        MonotonicTime now = now();
        return versions.search(after, (name, version) -> version.content().filter(record -> record.isOver(now)));
    }

    /** Reads records, those that change meanwhile again, and says whether all could be read. All calls are sent at once. */
    void read(List<ResourceName> names, Consumer<Boolean> complete) {
        int batches = 1 + names.size() / RecordStore.MOST_READS;
        List<Boolean> wereRead = new ArrayList<>();
        for (int i = 0; i < batches; i++) {
            int first = i * RecordStore.MOST_READS;
            readBatch(names.subList(first, Math.min(first + RecordStore.MOST_READS, names.size())), wasRead -> {
                wereRead.add(wasRead);
                if (wereRead.size() == batches) {
                    complete.accept(!wereRead.contains(false));
                }
            });
        }
    }

    private void readBatch(List<ResourceName> names, Consumer<Boolean> complete) {
        if (names.isEmpty()) {
            complete.accept(true);
            return;
        }
        List<Optional<KnownVersion>> before = names.stream().map(versions::get).toList();
        store.read(names, reply -> {
            if (!(reply instanceof StoreReply.Found found)) {
                complete.accept(false);
                return;
            }
            List<ResourceName> outdated = new ArrayList<>();
            for (int i = 0; i < names.size(); i++) {
                if (!learnRead(names.get(i), found.records().get(i), before.get(i))) {
                    outdated.add(names.get(i));
                }
            }
            read(outdated, complete);
        });
    }

    /** Learns from a read, unless it is older than a change since the version that was known before it. */
    private boolean learnRead(ResourceName name, Optional<StoredRecord> read, Optional<KnownVersion> before) {
        boolean unchanged = versions.get(name).orElse(null) == before.orElse(null);
        if (!unchanged && isOutdated(name, read)) {
            return false;
        }
        if (read.isPresent()) {
            learn(read.get(), Optional.empty());
        } else if (unchanged) {
            forget(name);
        }
        return true;
    }

    /** Returns whether a record that changed during the read was deleted or created, or has a content that is not known. */
    private boolean isOutdated(ResourceName name, Optional<StoredRecord> read) {
        return read.map(record -> !isKnown(name) || isUnread(name) && record.revision() < versions.revision(name))
                .orElseGet(() -> isKnown(name));
    }

    /** @param next the locks as they will be, if the changes are made */
    void commit(List<Change> changes, List<KnownLock> next, Consumer<StoreReply> reply) {
        store.commit(changes, result -> {
            if (result instanceof StoreReply.Committed committed) {
                changes.stream().filter(change -> change.text().isEmpty()).forEach(this::forgetDeleted);
                committed.written().stream()
                        .filter(record -> !isDeleted(record))
                        .forEach(record -> learn(record, own(record, next)));
            } else if (result instanceof StoreReply.Conflict conflict) {
                for (int i = 0; i < conflict.present().size(); i++) {
                    learn(changes.get(i), conflict.present().get(i));
                }
            }
            reply.accept(result);
        });
    }

    private void learn(Change refused, Optional<StoredRecord> present) {
        if (present.isPresent()) {
            if (!isDeleted(present.get())) {
                learn(present.get(), Optional.empty());
            }
        } else if (refused.read().isPresent()) {
            forgetDeleted(refused);
        }
    }

    /** On etcd, the watch may report a write and a later delete before the reply to the write. */
    private boolean isDeleted(StoredRecord record) {
        return !isKnown(record.name()) && record.revision() <= reported;
    }

    private static Optional<KnownLock> own(StoredRecord written, List<KnownLock> next) {
        return next.stream()
                .filter(record -> record.resource().equals(written.name()))
                .findFirst();
    }

    private void forgetDeleted(Change delete) {
        if (versions.revision(delete.name()) <= delete.read().orElseThrow().revision()) {
            forget(delete.name());
        }
    }

    /** @param own the lock as this replica wrote it; empty if it does not know that it did */
    private void learn(StoredRecord stored, Optional<KnownLock> own) {
        Optional<KnownVersion> last = versions.get(stored.name());
        long known = versions.revision(stored.name());
        if (known > stored.revision()) {
            return;
        }
        boolean isRead =
                last.filter(version -> version.isRead(stored.revision())).isPresent();
        KnownVersion version =
                known == stored.revision() ? last.orElseThrow() : versions.next(stored.name(), stored.revision());
        Optional<KnownLock> content = own.map(KnownLock::content)
                .or(() -> RecordText.parse(stored.text()))
                .map(lock -> KnownLock.of(stored, lock, version.firstSeen(own, uptime)));
        versions.put(stored.name(), new KnownVersion(stored.revision(), version.at(), content.or(version::last)));
        content.ifPresent(lock ->
                lock.leases().forEach(lease -> uptime.sawLease(lease.record().longest())));
        if (known != KnownVersions.EXISTING && !isRead) {
            content.ifPresent(read -> tell(listener -> listener.written(version.last(), read)));
        }
    }

    private void forget(ResourceName name) {
        versions.remove(name).ifPresent(last -> tell(listener -> listener.removed(name, last.last())));
    }

    /** A bug in a listener affects neither the others nor the call whose reply is learned. */
    private void tell(Consumer<RecordListener> event) {
        for (RecordListener listener : listeners) {
            try {
                event.accept(listener);
            } catch (RuntimeException | Error bug) {
                LOG.errorf(bug, "record listener failed");
            }
        }
    }

    Duration uptimePeriod() {
        return uptime.period();
    }

    /** Writes the uptime, if there are long leases. */
    void writeUptime() {
        if (watched) {
            uptime.next().ifPresent(text -> store.writeUptime(uptime.stored(), text));
        }
    }

    @Override
    public void uptime(StoredUptime stored) {
        uptime.learn(stored);
    }

    @Override
    public void restarted() {
        versions.restarted();
        watched = true;
        tell(RecordListener::restarted);
    }

    @Override
    public void lost(MonotonicTime since) {
        watched = false;
        tell(listener -> listener.lost(since));
    }

    @Override
    public void exists(ResourceName name) {
        versions.exists(name);
    }

    @Override
    public void listed() {
        versions.listed();
    }

    @Override
    public void changed(ResourceName name, long revision) {
        reported = Math.max(reported, revision);
        if (versions.revision(name) < revision || revision == UNKNOWN) {
            versions.put(name, versions.next(name, revision));
            if (listeners.stream().anyMatch(listener -> listener.needs(name))) {
                read(List.of(name), complete -> {
                    if (!complete) {
                        tell(listener -> listener.unreadable(name));
                    }
                });
            }
        }
    }

    @Override
    public void written(StoredRecord record) {
        reported = Math.max(reported, record.revision());
        if (versions.revision(record.name()) < record.revision()) {
            versions.put(record.name(), versions.next(record.name(), record.revision()));
        }
        learn(record, Optional.empty());
    }

    @Override
    public void removed(ResourceName name, long revision) {
        reported = Math.max(reported, revision);
        if (versions.revision(name) < revision || revision == UNKNOWN) {
            forget(name);
        }
    }
}
