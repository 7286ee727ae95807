// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.embedded;

import io.quorumlock.embedded.ClusterMembers.Member;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.zookeeper.server.quorum.QuorumPeerConfig;
import org.apache.zookeeper.server.quorum.QuorumPeerConfig.ConfigException;

/** An empty ZooKeeper ensemble for development, whose members are threads of this JVM. */
public final class EmbeddedEnsemble implements AutoCloseable {
    private static final String HOST = "127.0.0.1";
    private static final int LONGEST_START_SECONDS = 30;

    private final TemporaryFolder folder = TemporaryFolder.create();
    private final ClusterMembers members;
    private final List<MemberServer> servers = new ArrayList<>();

    private EmbeddedEnsemble(int count) {
        List<Integer> ports = FreePorts.find(3 * count);
        members = new ClusterMembers(IntStream.range(0, count)
                .mapToObj(i -> new Member(HOST, ports.get(3 * i), ports.get(3 * i + 1), ports.get(3 * i + 2)))
                .toList());
    }

    /**
     * Starts servers on free loopback ports, and waits until all of them follow a leader.
     *
     * @throws IllegalStateException if one of them does not; all are stopped
     */
    public static EmbeddedEnsemble start(int count) {
        EmbeddedEnsemble ensemble = new EmbeddedEnsemble(count);
        try {
            for (int id = 1; id <= count; id++) {
                ensemble.servers.add(MemberServer.start(ensemble.config(id)));
            }
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

    private QuorumPeerConfig config(int id) throws IOException, ConfigException {
        Path data = Files.createDirectories(folder.path().resolve("server-" + id));
        Files.writeString(data.resolve("myid"), Integer.toString(id));
        Properties all = MemberServer.properties(data, members);
        all.setProperty("clientPort", Integer.toString(members.of(id).client()));
        all.setProperty("clientPortAddress", HOST);
        all.setProperty("forceSync", "no");
        QuorumPeerConfig config = new QuorumPeerConfig();
        config.parseProperties(all);
        return config;
    }

    /** Returns the addresses of the servers, as the client expects them. */
    public String addresses() {
        return members.addresses();
    }

    /** Stops all servers and deletes their files. */
    @Override
    public void close() {
        servers.forEach(MemberServer::stop);
        folder.close();
    }
}
