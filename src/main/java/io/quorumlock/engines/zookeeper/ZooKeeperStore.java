// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.zookeeper;

import io.quorumlock.core.fleet.StoreMajority;
import io.quorumlock.core.lock.NoQuorumReason.Effect;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.loop.EngineContext;
import io.quorumlock.core.loop.UniqueIds;
import io.quorumlock.engines.consensus.StoreCall;
import io.quorumlock.engines.consensus.StoreConnection;
import io.quorumlock.engines.consensus.StoreReply;
import io.quorumlock.engines.consensus.StoredRecord;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.OpResult.ErrorResult;
import org.apache.zookeeper.OpResult.GetDataResult;
import org.apache.zookeeper.client.ConnectStringParser;

/**
 * The store of records on a ZooKeeper ensemble. All calls of a replica take effect in their order. A call without a
 * reply is not repeated.
 */
public final class ZooKeeperStore implements StoreConnection {
    private static final Set<Integer> CONFLICTS = codes(Code.NODEEXISTS, Code.NONODE, Code.BADVERSION, Code.NOTEMPTY);
    /** Only servers return them, before a change. The client library returns others also for calls whose answer was lost. */
    private static final Set<Integer> REFUSALS = codes(
            Code.NOAUTH,
            Code.INVALIDACL,
            Code.QUOTAEXCEEDED,
            Code.BADARGUMENTS,
            Code.UNIMPLEMENTED,
            Code.NOTREADONLY,
            Code.THROTTLEDOP);

    private final ZooKeeperSettings settings;
    private final EngineContext engineContext;
    private final RecordPaths paths;
    private final UniqueIds unusedNames;
    final ZooKeeperSession session;

    private final List<ZooKeeperServer> members;

    /** @param workers for questions to single servers, which block their thread */
    public ZooKeeperStore(ZooKeeperSettings settings, Executor workers, EngineContext engineContext) {
        this.settings = settings;
        this.engineContext = engineContext;
        this.paths = new RecordPaths(settings.root());
        this.unusedNames = new UniqueIds(engineContext.random());
        List<InetSocketAddress> servers = new ConnectStringParser(settings.servers()).getServerAddresses();
        StoreMajority majority = new StoreMajority(servers.size());
        this.members = servers.stream()
                .map(address -> new ZooKeeperServer(address, settings, majority, workers))
                .toList();
        this.session = new ZooKeeperSession(settings, new StoreRoot(paths, settings, members, majority), engineContext);
    }

    /** Also connects to the ensemble. */
    @Override
    public void watch(Watcher watcher) {
        session.open(watcher);
    }

    @Override
    public CompletableFuture<Void> firstReady() {
        return session.firstReady();
    }

    @Override
    public boolean isReady() {
        return session.isReady();
    }

    @Override
    public Optional<String> problem() {
        return session.problem();
    }

    @Override
    public List<ZooKeeperServer> members() {
        return members;
    }

    @Override
    public CompletableFuture<Void> close() {
        return session.close();
    }

    /** The server may be behind the leader: the read waits until it has what the leader had. */
    @Override
    public void read(List<ResourceName> names, Consumer<StoreReply> reply) {
        call(Effect.NONE, reply, result -> {
            sync(settings.root(), result);
            session.client()
                    .multi(
                            names.stream()
                                    .map(name -> Op.getData(paths.of(name)))
                                    .toList(),
                            (code, node, context, results) -> result.accept(found(names, results)),
                            null);
        });
    }

    /** @param results one for each name, also if some nodes do not exist; null if there is no reply */
    private static StoreReply found(List<ResourceName> names, List<OpResult> results) {
        List<Optional<StoredRecord>> records = new ArrayList<>();
        for (int i = 0; results != null && i < results.size(); i++) {
            OpResult read = results.get(i);
            if (read instanceof GetDataResult node) {
                records.add(Optional.of(NodeChange.read(names.get(i), node.getData(), node.getStat())));
            } else if (read instanceof ErrorResult error && error.getErr() == Code.NONODE.intValue()) {
                records.add(Optional.empty());
            }
        }
        return records.size() == names.size() ? new StoreReply.Found(records) : new StoreReply.Failed(Effect.NONE);
    }

    private void sync(String path, Consumer<StoreReply> result) {
        session.client()
                .sync(
                        path,
                        (code, node, context) -> {
                            if (code != Code.OK.intValue()) {
                                result.accept(new StoreReply.Failed(Effect.NONE));
                            }
                        },
                        null);
    }

    @Override
    public void commit(List<Change> changes, Consumer<StoreReply> reply) {
        List<NodeChange> nodes = changes.stream()
                .map(change -> NodeChange.of(change, paths, unusedNames.next(), settings.acl()))
                .toList();
        call(Effect.UNKNOWN, reply, result -> session.client()
                .multi(
                        nodes.stream()
                                .flatMap(node -> node.operations().stream())
                                .toList(),
                        (code, node, context, results) -> result.accept(
                                code == Code.OK.intValue()
                                        ? new StoreReply.Committed(written(nodes, results))
                                        : notCommitted(code)),
                        null));
    }

    /** @param code of an error, which the client library may not know */
    static StoreReply notCommitted(int code) {
        return CONFLICTS.contains(code)
                ? StoreReply.Conflict.UNTOLD
                : new StoreReply.Failed(REFUSALS.contains(code) ? Effect.NONE : Effect.UNKNOWN);
    }

    private static Set<Integer> codes(Code... codes) {
        return Stream.of(codes).map(Code::intValue).collect(Collectors.toSet());
    }

    private static List<StoredRecord> written(List<NodeChange> nodes, List<OpResult> results) {
        List<StoredRecord> written = new ArrayList<>();
        Iterator<OpResult> all = results.iterator();
        for (NodeChange node : nodes) {
            List<OpResult> own =
                    node.operations().stream().map(operation -> all.next()).toList();
            node.written(own).ifPresent(written::add);
        }
        return written;
    }

    /** Sends a call, and replies once: with its result, or without one after the timeout. */
    private void call(Effect ifLost, Consumer<StoreReply> reply, Consumer<Consumer<StoreReply>> send) {
        if (!session.isReady()) {
            reply.accept(StoreReply.Failed.NOT_CONNECTED);
            return;
        }
        StoreCall call = new StoreCall(settings.timeout(), ifLost, engineContext, reply);
        send.accept(call::end);
    }
}
