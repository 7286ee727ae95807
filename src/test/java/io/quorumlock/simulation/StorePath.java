// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.NoQuorumReason.Effect;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.loop.EngineContext;
import io.quorumlock.core.loop.MonotonicTime;
import io.quorumlock.engines.consensus.RecordStore;
import io.quorumlock.engines.consensus.StoreCall;
import io.quorumlock.engines.consensus.StoreReply;
import io.quorumlock.engines.consensus.StoredRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * The path from one replica to the store, with one connection at a time, as a client of ZooKeeper or etcd has it. Calls and
 * their replies keep their order; reports of the watch have an order of their own. The replica gives up a connection that is
 * silent. Some calls in flight then still arrive, possibly after those of the next connection.
 */
final class StorePath implements RecordStore {
    /** A connection that is silent for so long is given up. */
    private static final Duration SILENCE = Scale.NODE_TIMEOUT.multipliedBy(3);

    private static final Pattern TOKEN = Pattern.compile("\"token\":\"([^\"]*)\"");
    private static final Duration RETRY_DELAY = Duration.ofMillis(100);
    private static final long UPTIME_DELAY = Scale.millis(100);

    private final Replica replica;
    private final SimulatedStore store;
    private final EngineContext engineContext;
    private final List<Call> inFlight = new ArrayList<>();
    private Watcher watcher;
    private int connection;
    private boolean connected;
    private boolean closed;
    private long cutUntil;
    private long lastArrival;
    private long lastAnswer;
    private long lastReport;

    StorePath(Replica replica, SimulatedStore store, EngineContext engineContext) {
        this.replica = replica;
        this.store = store;
        this.engineContext = engineContext;
    }

    private static final class Call {
        final int connection;
        final Supplier<StoreReply> effect;
        final StoreReply ifLost;
        final StoreCall call;
        boolean lost;

        Call(int connection, Supplier<StoreReply> effect, StoreReply ifLost, StoreCall call) {
            this.connection = connection;
            this.effect = effect;
            this.ifLost = ifLost;
            this.call = call;
        }
    }

    SimulatedStore store() {
        return store;
    }

    boolean isUsable() {
        return connected && cutUntil <= now();
    }

    private long now() {
        return replica.events().now();
    }

    /** Delays all messages until this time, as a partition, or a store without a leader does. */
    void cut(long until) {
        cutUntil = until;
        int silent = connection;
        MonotonicTime contact = replica.clock().now();
        replica.later(SILENCE, () -> {
            if (silent == connection && cutUntil > now()) {
                lose(contact.plus(Scale.NODE_TIMEOUT.negated()));
            }
        });
    }

    void heal() {
        cutUntil = 0;
    }

    /** Breaks the connection, as the network or the server would. */
    void breakConnection() {
        lose(replica.clock().now());
    }

    private void lose(MonotonicTime since) {
        if (closed) {
            return;
        }
        leave();
        List<Call> open = List.copyOf(inFlight);
        inFlight.clear();
        boolean wasConnected = connected;
        connected = false;
        runUnlessClosed(() -> {
            open.forEach(call -> call.call.end(call.ifLost));
            if (wasConnected) {
                watcher.lost(since);
            }
            replica.later(RETRY_DELAY, this::connect);
        });
    }

    private void leave() {
        connection++;
        store.unwatch(this);
        inFlight.forEach(call -> call.lost = !store.arrivesAfterBreak());
    }

    /** Closes the path when its replica ends. */
    void close() {
        leave();
        closed = true;
    }

    @Override
    public void watch(Watcher listener) {
        watcher = listener;
        connect();
    }

    private void connect() {
        int attempt = ++connection;
        replica.events().after(store.delay(), () -> {
            if (attempt != connection || closed) {
                return;
            }
            if (cutUntil > now()) {
                runUnlessClosed(() -> replica.later(RETRY_DELAY, this::connect));
                return;
            }
            StoredUptime uptime = store.uptime();
            List<ResourceName> names = store.names();
            store.watch(this);
            report(listener -> {
                connected = true;
                listener.uptime(uptime);
                listener.restarted();
                names.forEach(listener::exists);
                listener.listed();
            });
        });
    }

    void report(Consumer<Watcher> report) {
        int present = connection;
        lastReport = Math.max(lastReport, Math.max(now(), cutUntil) + store.delay());
        replica.events().at(lastReport, () -> deliver(present, () -> report.accept(watcher)));
    }

    /** A store may read records one by one, with changes between them. */
    @Override
    public void read(List<ResourceName> names, Consumer<StoreReply> reply) {
        List<StoreReply> replies = new ArrayList<>();
        names.forEach(name -> call(() -> store.read(List.of(name)), Effect.NONE, one -> {
            replies.add(one);
            if (replies.size() == names.size()) {
                reply.accept(together(replies));
            }
        }));
    }

    private static StoreReply together(List<StoreReply> replies) {
        List<Optional<StoredRecord>> records = new ArrayList<>();
        for (StoreReply reply : replies) {
            if (!(reply instanceof StoreReply.Found found)) {
                return reply;
            }
            records.addAll(found.records());
        }
        return new StoreReply.Found(records);
    }

    @Override
    public void commit(List<Change> changes, Consumer<StoreReply> reply) {
        List<LeaseToken> begun = begun(changes);
        if (connected) {
            begun.forEach(token -> replica.cluster().addVotesInFlight(token, 1));
        }
        Supplier<StoreReply> effect = () -> {
            begun.forEach(token -> replica.cluster().addVotesInFlight(token, -1));
            return store.commit(changes);
        };
        call(effect, Effect.UNKNOWN, reply);
    }

    /**
     * Needs the same time each way, so that stored seeds have the histories that they had before. Only the first replica writes: three
     * that compete double the duration of a run.
     */
    @Override
    public void writeUptime(StoredUptime read, String text) {
        int present = connection;
        if (replica.number == 0) {
            replica.events().after(UPTIME_DELAY, () -> {
                if (cutUntil <= now()) {
                    StoredUptime written = store.writeUptime(read, text);
                    replica.events().after(UPTIME_DELAY, () -> deliver(present, () -> watcher.uptime(written)));
                }
            });
        }
    }

    /** Returns the tokens of new records. Arriving late, they begin their leases again. */
    private static List<LeaseToken> begun(List<Change> changes) {
        return changes.stream()
                .filter(change -> change.read().isEmpty())
                .flatMap(change -> TOKEN.matcher(change.text().orElseThrow()).results())
                .map(found -> new LeaseToken(found.group(1)))
                .toList();
    }

    private void call(Supplier<StoreReply> effect, Effect ifLost, Consumer<StoreReply> reply) {
        if (!connected) {
            reply.accept(StoreReply.Failed.NOT_CONNECTED);
            return;
        }
        StoreCall call = new StoreCall(Scale.NODE_TIMEOUT, ifLost, engineContext, reply);
        Call sent = new Call(connection, effect, new StoreReply.Failed(ifLost), call);
        inFlight.add(sent);
        lastArrival = Math.max(lastArrival, now() + store.delay());
        replica.events().at(lastArrival, () -> arrive(sent));
    }

    private void arrive(Call call) {
        if (call.lost) {
            return;
        }
        if (cutUntil > now()) {
            replica.events().at(cutUntil, () -> arrive(call));
            return;
        }
        StoreReply result = call.effect.get();
        replica.log(() -> "    the store answered replica-" + replica.number + ": " + result);
        if (call.connection != connection) {
            return;
        }
        if (store.losesAnswer()) {
            breakConnection();
            return;
        }
        lastAnswer = Math.max(lastAnswer, now() + store.delay());
        replica.events().at(lastAnswer, () -> answer(call, result));
    }

    private void answer(Call call, StoreReply result) {
        if (cutUntil > now()) {
            replica.events().at(cutUntil, () -> answer(call, result));
            return;
        }
        deliver(call.connection, () -> {
            inFlight.remove(call);
            call.call.end(result);
        });
    }

    private void deliver(int from, Runnable task) {
        runUnlessClosed(() -> {
            if (from == connection) {
                task.run();
            }
        });
    }

    private void runUnlessClosed(Runnable task) {
        if (!closed) {
            replica.run(() -> {
                if (!closed) {
                    task.run();
                }
            });
        }
    }
}
