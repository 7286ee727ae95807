// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.zookeeper;

import io.quorumlock.core.loop.EngineContext;
import io.quorumlock.engines.consensus.RecordStore.Watcher;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.ZooKeeper;
import org.jboss.logging.Logger;

/**
 * The session with the ensemble. The client library reconnects by itself. An expired session, one whose user a server
 * refused, and one that cannot be prepared are replaced here. After each connect, and before the first call, the root is checked,
 * the watch starts, and all records are reported.
 *
 * <p>All state is confined to the event loop.
 */
final class ZooKeeperSession {
    private static final Logger LOG = Logger.getLogger(ZooKeeperSession.class);
    private static final Duration RETRY_DELAY = Duration.ofSeconds(1);
    private static final int CLOSE_MILLIS = 1_000;

    private final ZooKeeperSettings settings;
    private final RecordPaths paths;
    private final StoreRoot root;
    private final EngineContext engineContext;
    private final CompletableFuture<Void> firstReady = new CompletableFuture<>();
    private Watcher watcher;
    private ZooKeeper client;
    private int sessions;
    /** The number of the present connection. Work for earlier ones is dropped. */
    private int connections;

    private volatile boolean ready;
    /** Why the last session could not be prepared. */
    private volatile Optional<String> problem = Optional.empty();

    ZooKeeperSession(ZooKeeperSettings settings, StoreRoot root, EngineContext engineContext) {
        this.settings = settings;
        this.paths = root.paths();
        this.root = root;
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

    /** Returns what is wrong with the store. May be called from any thread. */
    Optional<String> problem() {
        return problem;
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
        NodeCalls calls = new NodeCalls(client, settings.acl());
        root.prepare(calls)
                .thenCompose(checked -> calls.watchBelow(paths.root()))
                .thenRunAsync(watcher::restarted, engineContext.loop())
                .thenCompose(watched ->
                        NodeCalls.all(paths.buckets(), bucket -> reportRecords(calls.children(paths.bucket(bucket)))))
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
            ready = true;
            problem = Optional.empty();
            firstReady.complete(null);
            LOG.infof("store up session=0x%x", client.getSessionId());
        } else {
            Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
            problem = Optional.of(String.valueOf(cause.getMessage()));
            LOG.warnf("store not usable reason=\"%s\"", cause.getMessage());
            connectLater("not_usable");
        }
    }
}
