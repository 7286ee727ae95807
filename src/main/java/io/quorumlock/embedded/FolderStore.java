// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.embedded;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.server.PurgeTxnLog;
import org.apache.zookeeper.server.ServerConfig;
import org.apache.zookeeper.server.ZooKeeperServerMain;
import org.apache.zookeeper.server.admin.AdminServer.AdminServerException;
import org.apache.zookeeper.server.quorum.QuorumPeerConfig;
import org.apache.zookeeper.server.quorum.QuorumPeerConfig.ConfigException;
import org.apache.zookeeper.util.ServiceUtils;
import org.jboss.logging.Logger;

/**
 * A ZooKeeper server in this process that keeps its data in a folder: a store with one member, which tolerates no failure. Each write
 * is on the disk before it is answered.
 */
public final class FolderStore implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(FolderStore.class);
    private static final String HOST = "127.0.0.1";
    private static final int KEPT_SNAPSHOTS = 3;
    private static final int PURGE_MINUTES = 5;
    private static final String STOPPED = "it cannot write, or its disk is full;"
            + " QUARKUS_LOG_CATEGORY__ORG_APACHE_ZOOKEEPER__LEVEL=ERROR shows the error";

    private final FileChannel lock;
    private final Server server;
    private final ScheduledExecutorService purges = Executors.newSingleThreadScheduledExecutor(FolderStore::daemon);

    private FolderStore(Path folder, FileChannel lock, Server server) {
        this.lock = lock;
        this.server = server;
        purges.scheduleWithFixedDelay(() -> purge(folder), PURGE_MINUTES, PURGE_MINUTES, TimeUnit.MINUTES);
    }

    /** Returns why the folder cannot be used; empty if it can, or may be created. */
    public static Optional<String> refusal(Path folder) {
        if (Files.exists(folder) && !Files.isDirectory(folder)) {
            return Optional.of("not a folder; write the path of one");
        }
        Path existing = Files.exists(folder) ? folder : folder.toAbsolutePath().getParent();
        if (!Files.isDirectory(existing)) {
            return Optional.of("no such folder; create " + existing);
        }
        return Files.isWritable(existing)
                ? Optional.empty()
                : Optional.of("the user of this process cannot write there; change the owner of " + existing);
    }

    /**
     * Starts the server on a free loopback port, and waits until it serves. The process ends with status 1 if the server ends later,
     * for example because its disk is full.
     *
     * @throws IllegalStateException with the reason, if it does not start
     */
    public static FolderStore start(Path folder) {
        FileChannel lock = null;
        try {
            Files.createDirectories(
                    folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            lock = lock(folder);
            logPath(folder.toAbsolutePath());
            purge(folder); // The start writes a snapshot, for which a full disk may have no space.
            Server server = Server.start(folder, config(folder));
            server.serving.join();
            return new FolderStore(folder, lock, server);
        } catch (IOException | ConfigException | CompletionException e) {
            close(lock);
            throw new IllegalStateException((e instanceof CompletionException ? e.getCause() : e).toString(), e);
        }
    }

    /** Two servers with the same data would destroy them. The system releases the lock when the process ends, even if it is killed. */
    private static FileChannel lock(Path folder) throws IOException {
        FileChannel file =
                FileChannel.open(folder.resolve("in-use"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        if (file.tryLock() == null) {
            file.close();
            throw new IllegalStateException("in use by another process; stop it");
        }
        return file;
    }

    private static void logPath(Path folder) {
        if (Files.exists(folder.resolve("version-2"))) {
            LOG.infof("store folder=%s", folder);
        } else {
            LOG.warnf(
                    "new store folder=%s advice=\"it has no locks, and fencing tokens begin again;"
                            + " after the first start, this is not the folder of before\"",
                    folder);
        }
    }

    private static ServerConfig config(Path folder) throws IOException, ConfigException {
        Properties all = new Properties();
        all.setProperty("dataDir", folder.toString());
        all.setProperty("clientPortAddress", HOST);
        all.setProperty("clientPort", "0");
        all.setProperty("admin.enableServer", "false");
        all.setProperty("forceSync", "yes");
        QuorumPeerConfig parsed = new QuorumPeerConfig();
        parsed.parseProperties(all);
        ServerConfig config = new ServerConfig();
        config.readFrom(parsed);
        return config;
    }

    /** Deletes what the latest snapshots do not need. ZooKeeper's own timer does so once in an hour at most. */
    private static void purge(Path folder) {
        try {
            PurgeTxnLog.purge(folder.toFile(), folder.toFile(), KEPT_SNAPSHOTS);
        } catch (IOException e) {
            LOG.warnf("old files of the store not deleted folder=%s reason=\"%s\"", folder, e.getMessage());
        }
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "folder-store");
        thread.setDaemon(true);
        return thread;
    }

    /** Returns the address of the server, as the client expects it. */
    public String address() {
        return HOST + ":" + server.getClientPort();
    }

    /** Stops the server. */
    @Override
    public void close() {
        purges.shutdownNow();
        server.stop();
        close(lock);
    }

    private static void close(FileChannel lock) {
        try {
            if (lock != null) {
                lock.close();
            }
        } catch (IOException e) {
            LOG.warnf("folder not released reason=\"%s\"", e.getMessage());
        }
    }

    /** The server, in a thread of its own. */
    private static final class Server extends ZooKeeperServerMain {
        /** Completes when the server accepts requests, or with the reason why it does not. */
        final CompletableFuture<Void> serving = new CompletableFuture<>();

        private final Path folder;
        private volatile boolean stopping;

        private Server(Path folder) {
            this.folder = folder;
        }

        static Server start(Path folder, ServerConfig config) {
            Server server = new Server(folder);
            ServiceUtils.setSystemExitProcedure(status -> server.ended(new IOException(STOPPED)));
            CompletableFuture.runAsync(
                            () -> server.run(config), task -> daemon(task).start())
                    .whenComplete((nothing, error) -> server.ended(error));
            return server;
        }

        private void run(ServerConfig config) {
            try {
                runFromConfig(config);
                throw new IOException(STOPPED);
            } catch (IOException | AdminServerException e) {
                throw new CompletionException(e);
            }
        }

        @Override
        protected void serverStarted() {
            serving.complete(null);
        }

        /** Ends the process if the server ends by itself: without it no call can be answered. */
        private void ended(Throwable error) {
            serving.completeExceptionally(error);
            if (!serving.isCompletedExceptionally() && !stopping) {
                LOG.errorf(
                        "store ended folder=%s free_mb=%d reason=\"%s\"",
                        folder,
                        folder.toFile().getUsableSpace() >> 20,
                        error instanceof CompletionException ? error.getCause() : error);
                System.exit(1);
            }
        }

        void stop() {
            stopping = true;
            close();
        }
    }
}
