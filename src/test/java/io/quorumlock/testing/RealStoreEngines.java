// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import io.quorumlock.consensus.Consensus;
import io.quorumlock.consensus.ConsensusSettings;
import io.quorumlock.consensus.RecordStore;
import io.quorumlock.consensus.StoreConnection;
import io.quorumlock.consensus.StoreReply;
import io.quorumlock.lock.LockDirectory;
import io.quorumlock.lock.LockDirectory.PageTerms;
import io.quorumlock.lock.LockEngine;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.lock.ResourcePrefix;
import io.quorumlock.time.Drift;
import io.quorumlock.time.EngineContext;
import io.quorumlock.time.MonotonicTime;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/** Two replicas on a real store, for all tests. Only the clock of the engine is that of the test. */
public final class RealStoreEngines<S extends RecordStore & StoreConnection> implements EngineFixture {
    private static final Drift DRIFT = new Drift(0.01, Duration.ofMillis(2));

    private final RealLoop loop;
    private final AtomicLong nanos = new AtomicLong();
    private final EngineContext engineContext;
    private final S store;
    private final Consensus engine;
    private final Consensus other;

    public RealStoreEngines(RealLoop loop, Function<EngineContext, S> connect) {
        EngineContext real = loop.engineContext;
        this.loop = loop;
        this.engineContext = new EngineContext(
                () -> new MonotonicTime(nanos.get()), real.wallClock(), real.scheduler(), real.loop(), real.random());
        this.store = connect.apply(real);
        this.engine = start(store);
        this.other = start(connect.apply(real));
    }

    private Consensus start(S connection) {
        ConsensusSettings rules =
                new ConsensusSettings(DRIFT, EXTENSIONS_MAX, Duration.ofSeconds(60), Duration.ofMillis(10));
        Consensus replica = new Consensus(connection, rules, engineContext, new EventLog());
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

    /**
     * A session takes effect in order, so that an answer to a later call means that earlier ones and their reports
     * arrived.
     */
    @Override
    public void pass(Duration duration) {
        for (Consensus replica : List.of(engine, other)) {
            await(replica.inspect(RESOURCE));
            await(replica.inspect(RESOURCE));
            Eventually.within(Duration.ofSeconds(10), "clean-ups are pending", () -> cleanUpsPending(replica) == 0);
        }
        nanos.addAndGet(duration.toNanos());
    }

    private int cleanUpsPending(Consensus replica) {
        return await(CompletableFuture.supplyAsync(replica::cleanUpsPending, engineContext.loop()));
    }

    @Override
    public Duration freeAfter(Duration ttl) {
        return ttl.plus(DRIFT.of(ttl));
    }

    /** Deletes all records. */
    @Override
    public void close() {
        PageTerms all = new PageTerms(new ResourcePrefix(""), Optional.empty(), Integer.MAX_VALUE - 1);
        StoreReply.Names found = (StoreReply.Names) RealStore.ask(loop, reply -> store.names(all, reply));
        for (ResourceName name : found.names()) {
            StoreReply.Found record = (StoreReply.Found) RealStore.ask(loop, reply -> store.read(name, reply));
            RealStore.ask(loop, reply -> store.commit(List.of(new RecordStore.Change.Delete(record.record())), reply));
        }
        pass(Duration.ZERO);
    }
}
