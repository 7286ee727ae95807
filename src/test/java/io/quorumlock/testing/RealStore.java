// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import io.quorumlock.core.loop.EngineContext;
import io.quorumlock.engines.consensus.RecordStore;
import io.quorumlock.engines.consensus.StoreConnection;
import io.quorumlock.engines.consensus.StoreReply;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;

/** A real store of records, on the event loop of a test. */
public final class RealStore implements StoreFixture {
    private final RealLoop loop;
    private final Function<EngineContext, StoreConnection> connect;
    private final List<StoreConnection> stores = new ArrayList<>();

    public RealStore(RealLoop loop, Function<EngineContext, StoreConnection> connect) {
        this.loop = loop;
        this.connect = connect;
    }

    @Override
    public RecordStore connect(RecordStore.Watcher watcher) {
        StoreConnection store = connect.apply(loop.engineContext);
        stores.add(store);
        loop.engineContext.loop().execute(() -> store.watch(watcher));
        RealLoop.await(store.firstReady());
        return store;
    }

    @Override
    public StoreReply ask(Consumer<Consumer<StoreReply>> call) {
        return RealLoop.await(send(call));
    }

    /** Makes a call, and does not wait for its reply. */
    public CompletableFuture<StoreReply> send(Consumer<Consumer<StoreReply>> call) {
        CompletableFuture<StoreReply> reply = new CompletableFuture<>();
        loop.engineContext.loop().execute(() -> call.accept(reply::complete));
        return reply;
    }

    @Override
    public void close() {
        stores.forEach(store -> RealLoop.await(store.close()));
    }
}
