// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.zookeeper;

import io.quorumlock.consensus.RecordStore.Watcher;
import io.quorumlock.time.EngineContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.ZooKeeper;
import org.jboss.logging.Logger;

/**
 * The session with the ensemble. The client library reconnects by itself; an expired session, and one whose user a server
 * refused, is replaced here. After each connect, and before the first call, it creates missing nodes, starts the watch, and reports all records.
 *
 * <p>All state is confined to the event loop.
 */
final class ZooKeeperSession {
    private static final Logger LOG = Logger.getLogger(ZooKeeperSession.class);
    private static final byte[] NO_DATA = {};
    private static final Duration RETRY_DELAY = Duration.ofSeconds(1);
    private static final int CLOSE_MILLIS = 1_000;

    private final ZooKeeperSettings settings;
    private final RecordPaths paths;
    private final EngineContext engineContext;
    private final CompletableFuture<Void> firstReady = new CompletableFuture<>();
    private Watcher watcher;
    private ZooKeeper client;
    private int sessions;
    /** The number of the present connection. Work for earlier ones is dropped. */
    private int connections;

    private volatile boolean ready;

    ZooKeeperSession(ZooKeeperSettings settings, RecordPaths paths, EngineContext engineContext) {
        this.settings = settings;
        this.paths = paths;
        this.engineContext = engineContext;
    }

    /** Connects, and reconnects until closed. */
    void open(Watcher listener) {
        watcher = listener;
        connect();
    }

    /** Returns a future that completes when calls can be sent for the first time. */
    CompletableFuture<Void> firstReady() {
        return firstReady;
    }

    /** Returns whether calls can be sent. May be called from any thread. */
    boolean isReady() {
        return ready;
    }

    ZooKeeper client() {
        return client;
    }

    /** Ends the session. */
    CompletableFuture<Void> close() {
        return CompletableFuture.supplyAsync(
                        () -> {
                            sessions++;
                            connections++;
                            ready = false;
                            return client;
                        },
                        engineContext.loop())
                .thenAcceptAsync(ZooKeeperSession::close);
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
            client = new ZooKeeper(
                    settings.servers(),
                    (int) settings.sessionTimeout().toMillis(),
                    event -> engineContext.loop().execute(() -> {
                        if (session == sessions) {
                            receive(event);
                        }
                    }),
                    settings.security().config());
            settings.security()
                    .login()
                    .ifPresent(login -> client.addAuthInfo("digest", login.getBytes(StandardCharsets.UTF_8)));
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
            case AuthFailed -> {
                // This client does not connect again.
                lose("auth_failed");
                int failed = sessions;
                engineContext.scheduler().after(RETRY_DELAY, () -> {
                    if (failed == sessions) {
                        connect();
                    }
                });
            }
            default -> LOG.warnf("store event state=%s", event.getState().name().toLowerCase(Locale.ROOT));
        }
    }

    private void lose(String reason) {
        connections++;
        // A silent server is detected late.
        long most =
                Math.max(client.getSessionTimeout(), settings.sessionTimeout().toMillis());
        watcher.lost(engineContext.clock().now().plus(Duration.ofMillis(-most)));
        if (ready) {
            ready = false;
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
        createNodes()
                .thenCompose(created -> watchRecords())
                .thenRunAsync(watcher::restarted, engineContext.loop())
                .thenCompose(watched -> all(paths.buckets(), this::reportRecords))
                .whenCompleteAsync((reported, failure) -> prepared(connection, failure), engineContext.loop());
    }

    private CompletableFuture<Void> createNodes() {
        return settings.readOnly()
                ? CompletableFuture.completedFuture(null)
                : all(paths.ancestors(), this::createIfMissing)
                        .thenCompose(created -> children(paths.root()))
                        .thenCompose(this::createMissing);
    }

    private void prepared(int connection, Throwable failure) {
        if (connection != connections) {
            return;
        }
        if (failure == null) {
            watcher.listed();
            ready = true;
            firstReady.complete(null);
            LOG.infof("store up session=0x%x", client.getSessionId());
        } else {
            LOG.warnf("store not usable reason=\"%s\"", failure.getMessage());
            engineContext.scheduler().after(RETRY_DELAY, () -> {
                if (connection == connections) {
                    prepare(connection);
                }
            });
        }
    }

    private CompletableFuture<Void> createMissing(List<String> present) {
        Set<String> existing = Set.copyOf(present);
        return all(
                paths.buckets().stream()
                        .filter(bucket -> !existing.contains(bucket))
                        .map(paths::bucket)
                        .toList(),
                this::create);
    }

    private CompletableFuture<Void> reportRecords(String bucket) {
        return children(paths.bucket(bucket))
                .thenAcceptAsync(names -> RecordPaths.decode(names).forEach(watcher::exists), engineContext.loop());
    }

    /** Needs no right if the node exists. */
    private CompletableFuture<Void> createIfMissing(String path) {
        CompletableFuture<Boolean> exists = new CompletableFuture<>();
        client.exists(
                path,
                false,
                (code, node, context, stat) -> complete(
                        exists, code == Code.NONODE.intValue() ? Code.OK.intValue() : code, node, stat != null),
                null);
        return exists.thenCompose(found -> found ? CompletableFuture.completedFuture(null) : create(path));
    }

    private CompletableFuture<Void> create(String path) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        client.create(
                path,
                NO_DATA,
                settings.acl(),
                CreateMode.PERSISTENT,
                (code, node, context, name) ->
                        complete(done, code == Code.NODEEXISTS.intValue() ? Code.OK.intValue() : code, node, null),
                null);
        return done;
    }

    private CompletableFuture<Void> watchRecords() {
        CompletableFuture<Void> done = new CompletableFuture<>();
        client.addWatch(
                paths.root(),
                AddWatchMode.PERSISTENT_RECURSIVE,
                (code, node, context) -> complete(done, code, node, null),
                null);
        return done;
    }

    /** Returns the names of the children of a node. A missing node has none if this process creates no nodes. */
    private CompletableFuture<List<String>> children(String path) {
        CompletableFuture<List<String>> found = new CompletableFuture<>();
        client.getChildren(
                path,
                false,
                (code, node, context, children) -> {
                    if (code == Code.NONODE.intValue() && settings.readOnly()) {
                        found.complete(List.of());
                    } else {
                        complete(found, code, node, children);
                    }
                },
                null);
        return found;
    }

    private static <T> void complete(CompletableFuture<T> answer, int code, String path, T value) {
        if (code == Code.OK.intValue()) {
            answer.complete(value);
        } else {
            answer.completeExceptionally(KeeperException.create(Code.get(code), path));
        }
    }

    /** Starts all calls at once. */
    private static CompletableFuture<Void> all(List<String> paths, Function<String, CompletableFuture<Void>> call) {
        return CompletableFuture.allOf(paths.stream().map(call).toArray(CompletableFuture[]::new));
    }
}
