// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.embedded;

import io.quorumlock.core.fleet.ServerGauge;
import io.quorumlock.embedded.ClusterMembers.Member;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;
import org.apache.zookeeper.server.quorum.QuorumPeerConfig;
import org.apache.zookeeper.server.quorum.QuorumPeerConfig.ConfigException;
import org.jboss.logging.Logger;

/**
 * A member of a ZooKeeper ensemble in this process. ZooKeeper's own server replicates and elects; this class checks only that the
 * folder belongs to this member, and decides whether an empty folder begins an empty store. Otherwise the member copies the store
 * of the others, and has no vote before (ZOOKEEPER-261).
 */
public final class ClusterMember implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(ClusterMember.class);
    /** The file with the list of the last start. */
    static final String MEMBERS = "members";

    private final StoreFolder folder;
    private final MemberServer server;
    private final ServerEnd end;

    /**
     * The security of connections between members and from clients: TLS with certificates on both sides.
     *
     * @param keyFile a PEM file with the certificate of this member and its key
     * @param caFile a PEM file with the certificates that sign those of members and clients
     */
    public record Tls(Path keyFile, Path caFile) {}

    private ClusterMember(StoreFolder folder, MemberServer server, ServerEnd end) {
        this.folder = folder;
        this.server = server;
        this.end = end;
    }

    /**
     * Starts the member. Does not wait for the others. The process ends with status 1 if the member ends later.
     *
     * @param id the place of this member in the list
     * @param founding whether an empty folder may begin a new cluster
     * @throws IllegalStateException with the reason, if it does not start
     */
    public static ClusterMember start(Path path, ClusterMembers members, int id, boolean founding, Optional<Tls> tls) {
        checkAddress(members, members.of(id));
        StoreFolder folder = null;
        try {
            folder = StoreFolder.open(path);
            checkOwner(path, members, id);
            found(folder, founding);
            logPorts(id, members.of(id), tls.isPresent());
            QuorumPeerConfig config = config(path, members, id, tls);
            MemberServer server = new MemberServer();
            ServerEnd end = new ServerEnd(folder);
            end.serves();
            end.run("cluster-member", () -> server.runFromConfig(config));
            return new ClusterMember(folder, server, end);
        } catch (IOException | ConfigException | IllegalStateException e) {
            if (folder != null) {
                folder.close();
            }
            throw e instanceof IllegalStateException known ? known : new IllegalStateException(e.toString(), e);
        }
    }

    private static void checkAddress(ClusterMembers members, Member self) {
        InetAddress address = new InetSocketAddress(self.host(), 0).getAddress();
        if (address != null && address.isLoopbackAddress() && members.haveSeveralHosts()) {
            throw new IllegalStateException("this machine takes its name " + self.host() + " for "
                    + address.getHostAddress() + ", which the other members cannot reach; correct /etc/hosts");
        }
        for (int port : self.ports()) {
            try (ServerSocket socket = new ServerSocket()) {
                socket.setReuseAddress(true);
                socket.bind(new InetSocketAddress(self.host(), port));
            } catch (IOException e) {
                throw new IllegalStateException(
                        "cannot listen on " + self.host() + ":" + port + " (" + e.getMessage()
                                + "); the host must be an address of this machine, and the port free",
                        e);
            }
        }
    }

    /** Refuses the folder of another cluster, and one of another member. */
    private static void checkOwner(Path path, ClusterMembers members, int id) throws IOException {
        Path list = path.resolve(MEMBERS);
        if (Files.exists(list)) {
            String before = Files.readString(list).strip();
            if (!members.isOrReplacesOneOf(before)) {
                throw new IllegalStateException("the folder of a cluster of " + before
                        + "; the number and the order of members are fixed, and one at a time can be replaced");
            }
        }
        Path myId = path.resolve("myid");
        if (Files.exists(myId) && !Files.readString(myId).strip().equals(Integer.toString(id))) {
            throw new IllegalStateException(
                    "the folder of member " + Files.readString(myId).strip()
                            + ", and this is member " + id + " of the list; take the folder of this member,"
                            + " or delete the file myid in a copy that was made on purpose");
        }
        Files.writeString(myId, id + "\n");
        Files.writeString(list, members.text() + "\n");
    }

    private static void found(StoreFolder folder, boolean founding) throws IOException {
        Path path = folder.path().toAbsolutePath();
        if (!folder.isNew()) {
            LOG.infof("store folder=%s", path);
            return;
        }
        folder.forgetEpochs();
        if (founding) {
            Files.writeString(path.resolve("initialize"), "");
            LOG.warnf("new cluster folder=%s advice=\"its store is empty, and fencing tokens begin again\"", path);
        } else {
            LOG.warnf(
                    "new member folder=%s advice=\"it takes the locks of the others, and does not vote before;"
                            + " if this is a new cluster, set QUORUMLOCK_CLUSTER_FOUNDED to the time of now on all members\"",
                    path);
        }
    }

    private static void logPorts(int id, Member self, boolean tls) {
        LOG.infof(
                "cluster member=%d host=%s ports=%s advice=\"the other members must reach them\"",
                id, self.host(), self.ports());
        if (!tls && !new InetSocketAddress(self.host(), 0).getAddress().isLoopbackAddress()) {
            LOG.warnf(
                    "cluster without TLS ports=%s advice=\"programs that reach them can change locks; set"
                            + " QUORUMLOCK_ZOOKEEPER_CA_FILE and QUORUMLOCK_ZOOKEEPER_KEY_FILE, or close them to others\"",
                    self.ports());
        }
    }

    private static QuorumPeerConfig config(Path path, ClusterMembers members, int id, Optional<Tls> tls)
            throws IOException, ConfigException {
        Member self = members.of(id);
        Properties all = MemberServer.properties(path, members);
        all.setProperty("db.autocreate", "false");
        all.setProperty("forceSync", "yes");
        all.setProperty(tls.isPresent() ? "secureClientPort" : "clientPort", Integer.toString(self.client()));
        all.setProperty(tls.isPresent() ? "secureClientPortAddress" : "clientPortAddress", self.host());
        tls.ifPresent(files -> {
            all.setProperty("sslQuorum", "true");
            all.setProperty("serverCnxnFactory", "org.apache.zookeeper.server.NettyServerCnxnFactory");
            for (String connections : List.of("ssl.", "ssl.quorum.")) {
                all.setProperty(
                        connections + "keyStore.location", files.keyFile().toString());
                all.setProperty(connections + "keyStore.type", "PEM");
                all.setProperty(
                        connections + "trustStore.location", files.caFile().toString());
                all.setProperty(connections + "trustStore.type", "PEM");
            }
        });
        QuorumPeerConfig config = new QuorumPeerConfig();
        config.parseProperties(all);
        return config;
    }

    /** Returns whether the member has the locks, and is one of a majority. */
    public boolean serves() {
        return server.serves();
    }

    public List<ServerGauge> gauges() {
        return Stream.concat(folder.gauges().stream(), server.gauges().stream()).toList();
    }

    /** Stops the member. */
    @Override
    public void close() {
        end.stop(server::stop);
        folder.close();
    }
}
