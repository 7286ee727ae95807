// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.etcd;

import io.quorumlock.core.fleet.StoreMajority;
import io.quorumlock.core.lock.NoQuorumReason.Effect;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.loop.EngineContext;
import io.quorumlock.engines.consensus.StoreCall;
import io.quorumlock.engines.consensus.StoreConnection;
import io.quorumlock.engines.consensus.StoreReply;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** The store of records on an etcd cluster. A call without a reply is not repeated. */
public final class EtcdStore implements StoreConnection {

    private final EtcdSettings settings;
    private final EngineContext engineContext;
    private final RecordKeys keys;
    private final List<EtcdServer> members;
    final EtcdConnection connection;

    public EtcdStore(EtcdSettings settings, Vertx vertx, EngineContext engineContext) {
        this.settings = settings;
        this.engineContext = engineContext;
        this.keys = new RecordKeys(settings.root());
        StoreMajority majority = new StoreMajority(settings.members().size());
        this.members = settings.members().stream()
                .map(address -> new EtcdServer(address, settings, majority, vertx))
                .toList();
        this.connection = new EtcdConnection(settings, keys, members, majority, vertx, engineContext);
    }

    /** Also connects to the cluster. */
    @Override
    public void watch(Watcher watcher) {
        connection.open(watcher);
    }

    @Override
    public CompletableFuture<Void> firstReady() {
        return connection.firstReady();
    }

    @Override
    public boolean isReady() {
        return connection.isReady();
    }

    @Override
    public Optional<String> problem() {
        return connection.problem();
    }

    @Override
    public List<EtcdServer> members() {
        return members;
    }

    @Override
    public CompletableFuture<Void> close() {
        members.forEach(EtcdServer::close);
        return connection.close();
    }

    @Override
    public void read(List<ResourceName> names, Consumer<StoreReply> reply) {
        begin(reply, call -> connection
                .member()
                .call(Requests.TXN, Requests.read(names, keys))
                .map(answer -> new StoreReply.Found(RecordKeys.found(names, answer)))
                .onSuccess(call::end)
                .onFailure(failure -> call.end(new StoreReply.Failed(Effect.NONE))));
    }

    @Override
    public void commit(List<Change> changes, Consumer<StoreReply> reply) {
        begin(reply, call -> connection.transactions().commit(changes, call));
    }

    /** Begins a call that replies once: with its result, or without one after the timeout. */
    private void begin(Consumer<StoreReply> reply, Consumer<StoreCall> send) {
        if (isReady()) {
            send.accept(new StoreCall(settings.timeout(), Effect.NONE, engineContext, reply));
        } else {
            reply.accept(StoreReply.Failed.NOT_CONNECTED);
        }
    }
}
