// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.zookeeper.server.quorum.QuorumPeerMain;

/** A ZooKeeper ensemble of processes of this machine. */
public final class ZooKeeperCluster extends StoreCluster {
    private final List<String> options;

    private ZooKeeperCluster(int size, List<String> options) {
        super(size);
        this.options = options;
    }

    /** Starts an ensemble. */
    public static ZooKeeperCluster of(int size) {
        return start(size, List.of());
    }

    /**
     * Starts a server with another port for TLS, at which it asks for certificates of its clients.
     *
     * @param keyStore a PEM file with the certificate and the key of the server
     * @param trusted a PEM file with the certificates of clients
     */
    public static ZooKeeperCluster secured(Path keyStore, Path trusted) {
        return start(
                1,
                List.of(
                        "serverCnxnFactory=org.apache.zookeeper.server.NettyServerCnxnFactory",
                        "ssl.keyStore.location=" + keyStore,
                        "ssl.keyStore.type=PEM",
                        "ssl.trustStore.location=" + trusted,
                        "ssl.trustStore.type=PEM"));
    }

    private static ZooKeeperCluster start(int size, List<String> options) {
        ZooKeeperCluster cluster = new ZooKeeperCluster(size, options);
        cluster.members().forEach(cluster::start);
        return cluster;
    }

    /** Returns the client addresses of the servers, as the client expects them. */
    public String addresses() {
        return members().mapToObj(member -> HOST + clientPort(member)).collect(Collectors.joining(","));
    }

    /** Returns the address for TLS. */
    public String securedAddress() {
        return "localhost:" + port(0, 1);
    }

    @Override
    List<String> command(int member) throws IOException {
        Path data = folder(member);
        Files.writeString(data.resolve("myid"), Integer.toString(member + 1));
        Path file = Files.write(data.resolve("zoo.cfg"), configuration(member, data));
        return JavaCommand.of(
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                JavaCommand.classPath(),
                QuorumPeerMain.class.getName(),
                file.toString());
    }

    private List<String> configuration(int member, Path data) {
        List<String> lines = new ArrayList<>(List.of(
                "dataDir=" + data,
                "tickTime=500",
                "initLimit=20",
                "syncLimit=10",
                "admin.enableServer=false",
                "forceSync=no"));
        if (members().count() == 1) {
            lines.add("clientPort=" + clientPort(member));
            lines.add("clientPortAddress=127.0.0.1");
            if (!options.isEmpty()) {
                lines.add("secureClientPort=" + port(member, 1));
                lines.add("secureClientPortAddress=127.0.0.1");
            }
        }
        members()
                .filter(other -> members().count() > 1)
                .mapToObj(other -> "server." + (other + 1) + "=" + HOST + port(other, 1) + ":" + port(other, 2)
                        + ":participant;" + HOST + clientPort(other))
                .forEach(lines::add);
        lines.addAll(options);
        return lines;
    }
}
