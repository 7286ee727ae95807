// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.embedded;

import io.quorumlock.core.fleet.ServerGauge;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CompletionException;
import org.apache.zookeeper.server.ServerConfig;
import org.apache.zookeeper.server.ZooKeeperServerMain;
import org.apache.zookeeper.server.quorum.QuorumPeerConfig;
import org.apache.zookeeper.server.quorum.QuorumPeerConfig.ConfigException;
import org.jboss.logging.Logger;

/**
 * A ZooKeeper server in this process that keeps its data in a folder: a store with one member, which tolerates no failure. Each write
 * is on the disk before it is answered.
 */
public final class FolderStore implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(FolderStore.class);
    private static final String HOST = "127.0.0.1";

    private final StoreFolder folder;
    private final Server server;

    private FolderStore(StoreFolder folder, Server server) {
        this.folder = folder;
        this.server = server;
    }

    /**
     * Starts the server on a free loopback port, and waits until it serves. The process ends with status 1 if the server ends later,
     * for example because its disk is full.
     *
     * @throws IllegalStateException with the reason, if it does not start
     */
    public static FolderStore start(Path path) {
        StoreFolder folder = null;
        try {
            folder = StoreFolder.open(path);
            checkAlone(path);
            logPath(folder);
            Server server = new Server(folder);
            ServerConfig config = config(path);
            server.end.run("folder-store", () -> server.runFromConfig(config));
            server.end.awaitServing();
            return new FolderStore(folder, server);
        } catch (IOException | ConfigException | CompletionException | IllegalStateException e) {
            if (folder != null) {
                folder.close();
            }
            throw e instanceof IllegalStateException known
                    ? known
                    : new IllegalStateException((e instanceof CompletionException ? e.getCause() : e).toString(), e);
        }
    }

    /** Alone, a member would grant locks beside the others. */
    private static void checkAlone(Path folder) throws IOException {
        Path members = folder.resolve(ClusterMember.MEMBERS);
        if (Files.exists(members)) {
            throw new IllegalStateException("the folder of a member; write QUORUMLOCK_CLUSTER_MEMBERS="
                    + Files.readString(members).strip());
        }
    }

    private static void logPath(StoreFolder folder) {
        Path path = folder.path().toAbsolutePath();
        if (folder.isNew()) {
            LOG.warnf(
                    "new store folder=%s advice=\"it has no locks, and fencing tokens begin again;"
                            + " after the first start, this is not the folder of before\"",
                    path);
        } else {
            LOG.infof("store folder=%s", path);
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

    /** Returns the address of the server, as the client expects it. */
    public String address() {
        return HOST + ":" + server.getClientPort();
    }

    public List<ServerGauge> gauges() {
        return folder.gauges();
    }

    /** Stops the server. */
    @Override
    public void close() {
        server.end.stop(server::close);
        folder.close();
    }

    /** The server, in a thread of its own. */
    private static final class Server extends ZooKeeperServerMain {
        final ServerEnd end;

        private Server(StoreFolder folder) {
            this.end = new ServerEnd(folder);
        }

        @Override
        protected void serverStarted() {
            end.serves();
        }
    }
}
