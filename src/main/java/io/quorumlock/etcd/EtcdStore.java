// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.etcd;

import io.quorumlock.consensus.StoreCall;
import io.quorumlock.consensus.StoreConnection;
import io.quorumlock.consensus.StoreReply;
import io.quorumlock.consensus.StoredRecord;
import io.quorumlock.lock.NoQuorumReason.Effect;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.time.EngineContext;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;

/** The store of records on an etcd cluster. A call without a reply is not repeated. */
public final class EtcdStore implements StoreConnection {
    private static final String RANGE = "/v3/kv/range";

    private final EtcdSettings settings;
    private final EngineContext engineContext;
    private final RecordKeys keys;
    private final List<EtcdMember> members;
    final EtcdConnection connection;

    public EtcdStore(EtcdSettings settings, Vertx vertx, EngineContext engineContext) {
        this.settings = settings;
        this.engineContext = engineContext;
        this.keys = new RecordKeys(settings.root());
        this.connection = new EtcdConnection(settings, keys, vertx, engineContext);
        this.members = settings.members().stream()
                .map(address -> new EtcdMember(address, settings, vertx))
                .toList();
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
    public List<EtcdMember> members() {
        return members;
    }

    @Override
    public CompletableFuture<Void> close() {
        members.forEach(EtcdMember::close);
        return connection.close();
    }

    /** A range is linearizable, unless it asks for less. */
    @Override
    public void read(ResourceName name, Consumer<StoreReply> reply) {
        JsonObject range = new JsonObject().put("key", keys.of(name));
        call(RANGE, range, Effect.NONE, reply, answer -> {
            JsonArray found = answer.getJsonArray("kvs", new JsonArray());
            return found.isEmpty()
                    ? new StoreReply.Absent()
                    : new StoreReply.Found(RecordKeys.record(name, found.getJsonObject(0)));
        });
    }

    @Override
    public void commit(List<Change> changes, Consumer<StoreReply> reply) {
        JsonArray compare = new JsonArray();
        JsonArray success = new JsonArray();
        changes.forEach(change -> add(change, compare, success));
        JsonObject transaction = new JsonObject().put("compare", compare).put("success", success);
        call("/v3/kv/txn", transaction, Effect.UNKNOWN, reply, answer -> {
            if (!answer.getBoolean("succeeded", false)) {
                return new StoreReply.Conflict();
            }
            long revision = EtcdJson.headerRevision(answer);
            return new StoreReply.Committed(changes.stream()
                    .flatMap(change ->
                            change.text().map(text -> RecordKeys.record(change.name(), text, revision)).stream())
                    .toList());
        });
    }

    /** Adds the condition and the operation of a change. A key that does not exist has the revision 0. */
    private void add(Change change, JsonArray compare, JsonArray success) {
        String key = keys.of(change.name());
        compare.add(new JsonObject()
                .put("key", key)
                .put("result", "EQUAL")
                .put("target", "MOD")
                .put("mod_revision", change.read().map(StoredRecord::version).orElse("0")));
        success.add(change.text()
                .map(text -> new JsonObject()
                        .put("request_put", new JsonObject().put("key", key).put("value", RecordKeys.encode(text))))
                .orElseGet(() -> new JsonObject().put("request_delete_range", new JsonObject().put("key", key))));
    }

    /** Sends a call, and replies once: with its result, or without one after the timeout. */
    private void call(
            String path,
            JsonObject body,
            Effect ifLost,
            Consumer<StoreReply> reply,
            Function<JsonObject, StoreReply> reader) {
        if (!isReady()) {
            reply.accept(StoreReply.Failed.NOT_CONNECTED);
            return;
        }
        StoreCall call = new StoreCall(settings.timeout(), ifLost, engineContext, reply);
        connection
                .member()
                .post(path, body)
                .map(reader)
                .onSuccess(call::end)
                .onFailure(failure -> call.end(new StoreReply.Failed(ifLost)));
    }
}
