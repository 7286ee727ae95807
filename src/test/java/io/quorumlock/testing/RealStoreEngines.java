// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import io.quorumlock.core.lock.LockDirectory;
import io.quorumlock.core.lock.LockEngine;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.loop.Drift;
import io.quorumlock.core.loop.EngineContext;
import io.quorumlock.core.loop.EngineSettings;
import io.quorumlock.core.loop.MonotonicTime;
import io.quorumlock.engines.consensus.Consensus;
import io.quorumlock.engines.consensus.RecordStore;
import io.quorumlock.engines.consensus.StoreConnection;
import io.quorumlock.engines.consensus.StoreReply;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/** Two replicas on a real store, for all tests. Only the clock of the engine is that of the test. */
public final class RealStoreEngines implements EngineFixture {
    private static final Drift DRIFT = new Drift(0.01, Duration.ofMillis(2));

    private final RealLoop loop;
    private final AtomicLong nanos = new AtomicLong();
    private final AtomicInteger calls = new AtomicInteger();
    private final EngineContext engineContext;
    private final Function<EngineContext, StoreConnection> connect;
    private final Consensus engine;
    private final Consensus other;

    public RealStoreEngines(RealLoop loop, Function<EngineContext, StoreConnection> connect) {
        EngineContext real = loop.engineContext;
        this.loop = loop;
        this.connect = connect;
        this.engineContext = new EngineContext(
                () -> new MonotonicTime(nanos.get()), real.wallClock(), real.scheduler(), real.loop(), real.random());
        this.engine = start(connect.apply(real));
        this.other = start(connect.apply(real));
    }

    private Consensus start(StoreConnection connection) {
        EngineSettings rules = new EngineSettings(
                DRIFT, OptionalInt.of(EXTENSIONS_MAX), Duration.ofSeconds(60), Duration.ofMillis(10));
        CountedStore counted = new CountedStore(connection, calls);
        Consensus replica = new Consensus(counted, rules, engineContext, new EventLog());
        replica.start();
        await(connection.firstReady());
        return replica;
    }

    @Override
    public LockEngine engine() {
        return engine;
    }

    @Override
    public LockEngine otherReplica() {
        return other;
    }

    @Override
    public LockDirectory directory() {
        return engine;
    }

    @Override
    public <T> T await(CompletableFuture<T> answer) {
        return RealLoop.await(answer);
    }

    @Override
    public void leave(Supplier<CompletableFuture<?>> call) {
        await(CompletableFuture.runAsync(() -> EngineFixture.super.leave(call), engineContext.loop()));
    }

    /** A session of ZooKeeper takes effect in order: an answer to a later call means that earlier reports arrived. */
    @Override
    public void pass(Duration duration) {
        for (Consensus replica : List.of(engine, other)) {
            await(replica.inspect(RESOURCE));
            await(replica.inspect(RESOURCE));
            Eventually.holds("calls or clean-ups are pending", () -> pending(replica) == 0);
        }
        nanos.addAndGet(duration.toNanos());
    }

    /** Returns the number of calls without a reply, and of deletes in the background, at one moment. */
    private int pending(Consensus replica) {
        return await(
                CompletableFuture.supplyAsync(() -> calls.get() + replica.cleanUpsPending(), engineContext.loop()));
    }

    /** Deletes all records. The engines may delete those that are over at the same time. */
    @Override
    public void close() {
        RecordedReports reports = new RecordedReports();
        try (RealStore fresh = new RealStore(loop, connect)) {
            RecordStore store = fresh.connect(reports);
            for (ResourceName name : reports.existing()) {
                StoreReply.Found read = (StoreReply.Found) fresh.ask(reply -> store.read(List.of(name), reply));
                read.records()
                        .get(0)
                        .map(RecordStore.Change::delete)
                        .ifPresent(delete -> fresh.ask(reply -> store.commit(List.of(delete), reply)));
            }
        }
        pass(Duration.ZERO);
    }

    /** A store that counts its calls without a reply. */
    private record CountedStore(RecordStore store, AtomicInteger calls) implements RecordStore {
        @Override
        public void read(List<ResourceName> names, Consumer<StoreReply> reply) {
            store.read(names, counted(reply));
        }

        @Override
        public void commit(List<Change> changes, Consumer<StoreReply> reply) {
            store.commit(changes, counted(reply));
        }

        @Override
        public void writeUptime(StoredUptime read, String text) {
            store.writeUptime(read, text);
        }

        @Override
        public void watch(Watcher watcher) {
            store.watch(watcher);
        }

        private Consumer<StoreReply> counted(Consumer<StoreReply> reply) {
            calls.incrementAndGet();
            return result -> {
                reply.accept(result);
                calls.decrementAndGet();
            };
        }
    }
}
