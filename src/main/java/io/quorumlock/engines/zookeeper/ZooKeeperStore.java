// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.zookeeper;

import io.quorumlock.core.fleet.ServerListener;
import io.quorumlock.core.fleet.StoreMajority;
import io.quorumlock.core.lock.NoQuorumReason.Effect;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.loop.EngineContext;
import io.quorumlock.core.loop.UniqueIds;
import io.quorumlock.engines.consensus.GroupCommit;
import io.quorumlock.engines.consensus.StoreConnection;
import io.quorumlock.engines.consensus.StoreReply;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ConnectStringParser;
import org.jboss.logging.Logger;

/**
 * The store of records on a ZooKeeper ensemble, by one session. The client library reconnects by itself. An expired session, one
 * whose user a server refused, and one that cannot be prepared are replaced here. After each connect, and before the first call,
 * the root is checked, the watch starts, and all records are reported. Transactions that wait are sent as one, and each alone if one
 * of them conflicts. A call without a reply is not repeated.
 *
 * <p>All state declared here is confined to the event loop.
 */
public final class ZooKeeperStore extends StoreConnection {
    private static final Logger LOG = Logger.getLogger(ZooKeeperStore.class);
    private static final Duration RETRY_DELAY = Duration.ofSeconds(1);
    private static final int CLOSE_MILLIS = 1_000;
    /** In a group. More did not make an ensemble faster. */
    private static final int MOST_CHANGES = 64;

    private final ZooKeeperSettings settings;
    private final RecordPaths paths;
    private final StoreRoot root;
    private final EngineContext engineContext;
    private final List<ZooKeeperServer> members;
    private final UniqueIds unusedNames;
    private Watcher watcher;
    private GroupCommit transactions;
    ZooKeeper client;
    private int sessions;
    /** The number of the present connection. Work for earlier ones is dropped. */
    private int connections;

    /** @param workers for questions to single servers, which block their thread */
    public ZooKeeperStore(
            ZooKeeperSettings settings, Executor workers, EngineContext engineContext, ServerListener listener) {
        super(settings.timeout(), engineContext, listener);
        this.settings = settings;
        this.paths = new RecordPaths(settings.root());
        this.unusedNames = new UniqueIds(engineContext.random());
        List<InetSocketAddress> servers = new ConnectStringParser(settings.servers()).getServerAddresses();
        StoreMajority majority = new StoreMajority(servers.size());
        this.members = servers.stream()
                .map(address -> new ZooKeeperServer(address, settings, majority, workers))
                .toList();
        this.root = new StoreRoot(paths, settings, members, majority);
        this.engineContext = engineContext;
        this.transactions = newTransactions();
    }

    /** Also connects to the ensemble, and reconnects until closed. */
    @Override
    public void watch(Watcher listener) {
        watcher = listener;
        connect();
    }

    @Override
    public List<ZooKeeperServer> members() {
        return members;
    }

    /** The server may be behind the leader: the read waits until it has what the leader had. */
    @Override
    public void read(List<ResourceName> names, Consumer<StoreReply> reply) {
        List<Op> reads = names.stream().map(name -> Op.getData(paths.of(name))).toList();
        call(READ, Effect.NONE, reply, call -> {
            client.sync(
                    settings.root(),
                    (code, node, context) -> {
                        if (code != Code.OK.intValue()) {
                            call.end(new StoreReply.Failed(Effect.NONE));
                        }
                    },
                    null);
            client.multi(reads, (code, node, context, results) -> call.end(NodeReplies.found(names, results)), null);
        });
    }

    @Override
    public void commit(List<Change> changes, Consumer<StoreReply> reply) {
        call(COMMIT, Effect.NONE, reply, call -> transactions.commit(changes, call));
    }

    @Override
    public void writeUptime(StoredUptime read, String text) {
        if (isReady()) {
            NodeCalls calls = new NodeCalls(client, settings.acl());
            byte[] data = text.getBytes(StandardCharsets.UTF_8);
            calls.write(paths.below(RecordPaths.UPTIME), data, (int) read.version())
                    .handle((written, failure) -> reportUptime(calls));
        }
    }

    private CompletableFuture<Void> reportUptime(NodeCalls calls) {
        return calls.read(paths.below(RecordPaths.UPTIME))
                .thenAcceptAsync(
                        found -> found.ifPresent(node -> watcher.uptime(new StoredUptime(
                                new String(node.data(), StandardCharsets.UTF_8),
                                node.stat().getMzxid(),
                                node.stat().getVersion()))),
                        engineContext.loop());
    }

    private void send(List<List<Change>> group, Consumer<GroupCommit.Outcome> then) {
        List<List<NodeChange>> nodes = group.stream()
                .map(changes -> changes.stream()
                        .map(change -> NodeChange.of(change, paths, unusedNames.next(), settings.acl()))
                        .toList())
                .toList();
        List<Op> operations = nodes.stream()
                .flatMap(changes -> changes.stream().flatMap(node -> node.operations().stream()))
                .toList();
        client.multi(
                operations,
                (code, path, context, results) ->
                        engineContext.loop().execute(() -> then.accept(NodeReplies.committed(code, nodes, results))),
                null);
    }

    private GroupCommit newTransactions() {
        return new GroupCommit(this::send, MOST_CHANGES, engineContext.loop());
    }

    @Override
    public CompletableFuture<Void> close() {
        return CompletableFuture.supplyAsync(
                        () -> {
                            sessions++;
                            connections++;
                            down();
                            return client;
                        },
                        engineContext.loop())
                .thenAcceptAsync(ZooKeeperStore::close);
    }

    private static void close(ZooKeeper client) {
        try {
            client.close(CLOSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void connect() {
        int session = ++sessions;
        try {
            client = settings.connect(settings.servers(), settings.sessionTimeout(), event -> engineContext
                    .loop()
                    .execute(() -> {
                        if (session == sessions) {
                            receive(event);
                        }
                    }));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void receive(WatchedEvent event) {
        switch (event.getState()) {
            case SyncConnected -> {
                if (event.getType() == EventType.None) {
                    prepare(++connections);
                } else {
                    report(event);
                }
            }
            case Disconnected -> lose("disconnected");
            case Expired -> {
                lose("session_expired");
                connect();
            }
            case AuthFailed -> connectLater("auth_failed");
            default -> LOG.warnf("store event state=%s", event.getState().name().toLowerCase(Locale.ROOT));
        }
    }

    /** Ends this session. The next one may be with another server. */
    private void connectLater(String reason) {
        lose(reason);
        int failed = ++sessions;
        ZooKeeper ended = client;
        CompletableFuture.runAsync(() -> close(ended));
        engineContext.scheduler().after(RETRY_DELAY, () -> {
            if (failed == sessions) {
                connect();
            }
        });
    }

    private void lose(String reason) {
        connections++;
        // A silent server is detected late.
        long most =
                Math.max(client.getSessionTimeout(), settings.sessionTimeout().toMillis());
        watcher.lost(engineContext.clock().now().plus(Duration.ofMillis(-most)));
        transactions.close();
        transactions = newTransactions();
        if (down()) {
            LOG.warnf("store down reason=%s", reason);
        }
    }

    /** Reports a change of a record. Servers before 3.9 do not send the number of the write. */
    private void report(WatchedEvent event) {
        long revision = event.getZxid() == WatchedEvent.NO_ZXID ? Watcher.UNKNOWN : event.getZxid();
        paths.nameOf(event.getPath()).ifPresent(name -> {
            if (event.getType() == EventType.NodeDeleted) {
                watcher.removed(name, revision);
            } else {
                watcher.changed(name, revision);
            }
        });
    }

    private void prepare(int connection) {
        NodeCalls calls = new NodeCalls(client, settings.acl());
        root.prepare(calls)
                .thenCompose(checked -> reportUptime(calls))
                .thenCompose(reported -> calls.watchBelow(paths.root()))
                .thenRunAsync(watcher::restarted, engineContext.loop())
                .thenCompose(watched ->
                        NodeCalls.all(paths.buckets(), bucket -> reportRecords(calls.children(paths.below(bucket)))))
                .whenCompleteAsync((reported, failure) -> prepared(connection, failure), engineContext.loop());
    }

    private CompletableFuture<Void> reportRecords(CompletableFuture<List<String>> bucket) {
        return bucket.thenAcceptAsync(
                names -> RecordPaths.decode(names).forEach(watcher::exists), engineContext.loop());
    }

    private void prepared(int connection, Throwable failure) {
        if (connection != connections) {
            return;
        }
        if (failure == null) {
            watcher.listed();
            up();
            LOG.infof("store up session=0x%x", client.getSessionId());
        } else {
            Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
            setProblem(String.valueOf(cause.getMessage()));
            LOG.warnf("store not usable reason=\"%s\"", cause.getMessage());
            connectLater("not_usable");
        }
    }
}
