// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import io.quorumlock.core.lock.NoQuorumReason.Effect;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.engines.consensus.RecordStore;
import io.quorumlock.engines.consensus.StoreReply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
    private final List<Connection> connections = new ArrayList<>();
    private final MemoryRecords records =
            new MemoryRecords(report -> connections.forEach(connection -> connection.report(report)));

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
        return records.names().size();
    }

    /** Lets the replies to refused changes have the present records, as those of etcd. */
    public void tellConflicts() {
        records.tellConflicts();
    }

    /** Lets the store refuse to write records, but not to read and delete them. */
    public void fill() {
        records.fill();
    }

    /** Sets the fault of all connections. */
    public void setFault(Fault fault) {
        connections.forEach(connection -> connection.setFault(fault));
    }

    /** Sets the round-trip time of all connections. */
    public void answerAfter(Duration roundTrip) {
        connections.forEach(connection -> connection.answerAfter(roundTrip));
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
        public void read(List<ResourceName> names, Consumer<StoreReply> reply) {
            call(() -> records.read(names), Effect.NONE, reply);
        }

        @Override
        public void commit(List<Change> changes, Consumer<StoreReply> reply) {
            call(() -> records.commit(changes), Effect.UNKNOWN, reply);
        }

        @Override
        public void writeUptime(StoredUptime read, String text) {
            Duration half = latency.dividedBy(2);
            if (fault == Fault.NONE) {
                time.after(half, () -> {
                    StoredUptime present = records.writeUptime(read, text);
                    time.after(half, () -> watcher.orElseThrow().uptime(present));
                });
            }
        }

        @Override
        public void watch(Watcher listener) {
            watcher = Optional.of(listener);
            restart(listener);
        }

        private void restart(Watcher listener) {
            listener.uptime(records.uptime());
            listener.restarted();
            records.names().forEach(listener::exists);
            listener.listed();
        }

        private void report(Consumer<Watcher> report) {
            watcher.filter(listener -> fault == Fault.NONE)
                    .ifPresent(listener -> time.after(latency.dividedBy(2), () -> report.accept(listener)));
        }

        private void call(Supplier<StoreReply> effect, Effect ifLost, Consumer<StoreReply> reply) {
            if (fault == Fault.DOWN) {
                reply.accept(StoreReply.Failed.NOT_CONNECTED);
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
