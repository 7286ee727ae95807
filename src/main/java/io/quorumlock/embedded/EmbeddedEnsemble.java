// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.security.sasl.SaslException;
import org.apache.zookeeper.server.admin.AdminServer.AdminServerException;
import org.apache.zookeeper.server.quorum.QuorumPeer;
import org.apache.zookeeper.server.quorum.QuorumPeerConfig;
import org.apache.zookeeper.server.quorum.QuorumPeerConfig.ConfigException;
import org.apache.zookeeper.server.quorum.QuorumPeerMain;

/** An empty ZooKeeper ensemble for development, as threads of this JVM. */
public final class EmbeddedEnsemble implements AutoCloseable {
    private static final String HOST = "127.0.0.1:";
    private static final String TICK_MILLIS = "500";
    private static final int LONGEST_START_SECONDS = 30;

    private final TemporaryFolder folder = TemporaryFolder.create();
    private final List<Integer> clientPorts;
    private final List<Server> servers = new ArrayList<>();

    private EmbeddedEnsemble(int count) {
        clientPorts = FreePorts.find(count);
    }

    /**
     * Starts servers on free loopback ports, and waits until all of them follow a leader.
     *
     * @throws IllegalStateException if one of them does not; all are stopped
     */
    public static EmbeddedEnsemble start(int count) {
        EmbeddedEnsemble ensemble = new EmbeddedEnsemble(count);
        try {
            ensemble.startAll();
            ensemble.awaitServing();
            return ensemble;
        } catch (IOException | ConfigException | CompletionException e) {
            ensemble.close();
            throw new IllegalStateException("cannot start a temporary ensemble: " + e.getMessage(), e);
        }
    }

    private void awaitServing() throws IOException {
        CompletableFuture.allOf(servers.stream().map(server -> server.serving).toArray(CompletableFuture[]::new))
                .completeOnTimeout(null, LONGEST_START_SECONDS, TimeUnit.SECONDS)
                .join();
        if (!servers.stream().allMatch(server -> server.serving.isDone())) {
            throw new IOException("no leader within " + LONGEST_START_SECONDS + " s");
        }
    }

    private void startAll() throws IOException, ConfigException {
        List<Integer> peerPorts = FreePorts.find(2 * clientPorts.size());
        Properties members = new Properties();
        for (int i = 0; i < clientPorts.size(); i++) {
            members.setProperty(
                    "server." + (i + 1),
                    HOST + peerPorts.get(2 * i) + ":" + peerPorts.get(2 * i + 1) + ":participant;" + HOST
                            + clientPorts.get(i));
        }
        for (int i = 0; i < clientPorts.size(); i++) {
            servers.add(Server.start(config(i + 1, members)));
        }
    }

    private QuorumPeerConfig config(int id, Properties members) throws IOException, ConfigException {
        Path data = Files.createDirectories(folder.path().resolve("server-" + id));
        Files.writeString(data.resolve("myid"), Integer.toString(id));
        Properties all = new Properties();
        all.putAll(members);
        all.setProperty("dataDir", data.toString());
        all.setProperty("tickTime", TICK_MILLIS);
        all.setProperty("initLimit", "20");
        all.setProperty("syncLimit", "10");
        all.setProperty("admin.enableServer", "false");
        all.setProperty("forceSync", "no");
        QuorumPeerConfig config = new QuorumPeerConfig();
        config.parseProperties(all);
        return config;
    }

    /** Returns the addresses of the servers, as the client expects them. */
    public String addresses() {
        return IntStream.range(0, clientPorts.size())
                .mapToObj(i -> HOST + clientPorts.get(i))
                .collect(Collectors.joining(","));
    }

    /** Stops all servers and deletes their files. */
    @Override
    public void close() {
        servers.forEach(Server::stop);
        folder.close();
    }

    /** One server. */
    private static final class Server extends QuorumPeerMain {
        /** Completes when the server accepts requests for the first time. */
        final CompletableFuture<Void> serving = new CompletableFuture<>();

        static Server start(QuorumPeerConfig config) {
            Server server = new Server();
            Thread thread = new Thread(() -> server.run(config), "zookeeper-" + config.getServerId());
            thread.setDaemon(true);
            thread.start();
            return server;
        }

        private void run(QuorumPeerConfig config) {
            try {
                runFromConfig(config);
            } catch (IOException | AdminServerException e) {
                serving.completeExceptionally(e);
            }
        }

        @Override
        protected QuorumPeer getQuorumPeer() throws SaslException {
            return new QuorumPeer() {
                @Override
                public void setZabState(ZabState state) {
                    super.setZabState(state);
                    if (state == ZabState.BROADCAST) {
                        serving.complete(null);
                    }
                }
            };
        }

        void stop() {
            if (quorumPeer != null) {
                quorumPeer.shutdown();
            }
        }
    }
}
