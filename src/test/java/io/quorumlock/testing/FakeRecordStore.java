// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import io.quorumlock.consensus.RecordStore;
import io.quorumlock.consensus.StoreReply;
import io.quorumlock.consensus.StoredRecord;
import io.quorumlock.lock.LockDirectory.PageTerms;
import io.quorumlock.lock.NoQuorumReason.Effect;
import io.quorumlock.lock.ResourceName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A linearizable store in memory on virtual time. Each replica has its own connection with its own faults. */
public final class FakeRecordStore {

    /** The treatment of the calls of one connection. */
    public enum Fault {
        NONE,
        /** Calls fail at once and are not sent. */
        DOWN,
        /** Calls take effect, but their replies are lost. */
        MUTE,
        /** Calls neither take effect nor get a reply. */
        SILENT,
        /** Calls take effect after their timeout. */
        LATE
    }

    private final VirtualTime time;
    private final Duration timeout;
    private final SortedMap<ResourceName, StoredRecord> records =
            new TreeMap<>(Comparator.comparing(ResourceName::text));
    private final List<Connection> connections = new ArrayList<>();
    private long revision;

    public FakeRecordStore(VirtualTime time, Duration timeout) {
        this.time = time;
        this.timeout = timeout;
    }

    /** Creates the connection of a replica. */
    public Connection connect() {
        Connection connection = new Connection();
        connections.add(connection);
        return connection;
    }

    /** Counts the records. */
    public int size() {
        return records.size();
    }

    /** Sets the fault of all connections. */
    public void setFault(Fault fault) {
        connections.forEach(connection -> connection.setFault(fault));
    }

    /** Sets the round-trip time of all connections. */
    public void answerAfter(Duration roundTrip) {
        connections.forEach(connection -> connection.answerAfter(roundTrip));
    }

    private StoreReply read(ResourceName name) {
        return Optional.ofNullable(records.get(name))
                .<StoreReply>map(StoreReply.Found::new)
                .orElseGet(StoreReply.Absent::new);
    }

    private StoreReply names(PageTerms terms) {
        return new StoreReply.Names(records.keySet().stream()
                .filter(name -> terms.prefix().begins(name.text()))
                .filter(name -> terms.after()
                        .filter(after -> after.text().compareTo(name.text()) >= 0)
                        .isEmpty())
                .limit(terms.limit() + 1L)
                .toList());
    }

    private StoreReply commit(List<RecordStore.Change> changes) {
        if (!changes.stream().allMatch(this::isPossible)) {
            return new StoreReply.Conflict();
        }
        revision++;
        return new StoreReply.Committed(
                changes.stream().flatMap(change -> make(change).stream()).toList());
    }

    private boolean isPossible(RecordStore.Change change) {
        if (change instanceof RecordStore.Change.Create create) {
            return !records.containsKey(create.name());
        }
        StoredRecord read = change instanceof RecordStore.Change.Replace replace
                ? replace.read()
                : ((RecordStore.Change.Delete) change).read();
        return Optional.ofNullable(records.get(read.name()))
                .filter(present -> present.version().equals(read.version()))
                .isPresent();
    }

    private Optional<StoredRecord> make(RecordStore.Change change) {
        if (change instanceof RecordStore.Change.Create create) {
            return Optional.of(write(create.name(), create.text()));
        } else if (change instanceof RecordStore.Change.Replace replace) {
            return Optional.of(write(replace.read().name(), replace.text()));
        }
        ResourceName name = ((RecordStore.Change.Delete) change).read().name();
        records.remove(name);
        long deleted = revision;
        connections.forEach(connection -> connection.report(watcher -> watcher.removed(name, deleted)));
        return Optional.empty();
    }

    private StoredRecord write(ResourceName name, String text) {
        StoredRecord record = new StoredRecord(name, text, revision, Long.toString(revision));
        records.put(name, record);
        connections.forEach(connection -> connection.report(watcher -> watcher.changed(name, record.revision())));
        return record;
    }

    /** The connection of one replica. */
    public final class Connection implements RecordStore {
        private Duration latency = Duration.ZERO;
        private Fault fault = Fault.NONE;
        private Optional<Watcher> watcher = Optional.empty();
        private int calls;

        private Connection() {}

        /** Sets the round-trip time. Calls take effect after half of it. */
        public void answerAfter(Duration roundTrip) {
            latency = roundTrip;
        }

        /** Sets the fault. After a fault, the watch starts again. */
        public void setFault(Fault next) {
            if (fault != Fault.NONE && next == Fault.NONE) {
                watcher.ifPresent(this::restart);
            } else if (fault == Fault.NONE && next != Fault.NONE) {
                watcher.ifPresent(listener -> listener.lost(time.now()));
            }
            fault = next;
        }

        /** Counts the calls that were sent. */
        public int calls() {
            return calls;
        }

        @Override
        public void read(ResourceName name, Consumer<StoreReply> reply) {
            call(() -> FakeRecordStore.this.read(name), Effect.NONE, reply);
        }

        @Override
        public void names(PageTerms terms, Consumer<StoreReply> reply) {
            call(() -> FakeRecordStore.this.names(terms), Effect.NONE, reply);
        }

        @Override
        public void commit(List<Change> changes, Consumer<StoreReply> reply) {
            call(() -> FakeRecordStore.this.commit(changes), Effect.UNKNOWN, reply);
        }

        @Override
        public void watch(Watcher listener) {
            watcher = Optional.of(listener);
            restart(listener);
        }

        private void restart(Watcher listener) {
            listener.restarted();
            records.keySet().forEach(listener::exists);
        }

        private void report(Consumer<Watcher> report) {
            watcher.filter(listener -> fault == Fault.NONE)
                    .ifPresent(listener -> time.after(latency.dividedBy(2), () -> report.accept(listener)));
        }

        private void call(Supplier<StoreReply> effect, Effect ifLost, Consumer<StoreReply> reply) {
            if (fault == Fault.DOWN) {
                reply.accept(new StoreReply.Failed(Effect.NONE));
                return;
            }
            calls++;
            Duration half = latency.dividedBy(2);
            if (fault == Fault.NONE) {
                time.after(half, () -> {
                    StoreReply result = effect.get();
                    time.after(half, () -> reply.accept(result));
                });
            } else {
                if (fault == Fault.MUTE) {
                    time.after(half, effect::get);
                } else if (fault == Fault.LATE) {
                    time.after(timeout.plus(half), effect::get);
                }
                time.after(timeout, () -> reply.accept(new StoreReply.Failed(ifLost)));
            }
        }
    }
}
