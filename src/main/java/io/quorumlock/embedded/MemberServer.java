// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.embedded;

import io.quorumlock.core.fleet.ServerGauge;
import io.quorumlock.embedded.ClusterMembers.Member;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import javax.security.sasl.SaslException;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.apache.zookeeper.server.admin.AdminServer.AdminServerException;
import org.apache.zookeeper.server.quorum.Leader;
import org.apache.zookeeper.server.quorum.QuorumPeer;
import org.apache.zookeeper.server.quorum.QuorumPeer.ZabState;
import org.apache.zookeeper.server.quorum.QuorumPeerConfig;
import org.apache.zookeeper.server.quorum.QuorumPeerMain;

/** A ZooKeeper server of an ensemble, in a thread of this process. */
final class MemberServer extends QuorumPeerMain {
    private static final double MILLIS_PER_SECOND = 1e3;

    /** Completes when the server accepts requests for the first time, or with the reason why it ended before. */
    final CompletableFuture<Void> serving = new CompletableFuture<>();

    /**
     * Returns the properties that all members have. A leader or member that is silent for four seconds is given up. A member that
     * takes itself for the leader waits for a majority for ten seconds, in which nothing serves if another one should lead; so long may
     * a member take to get the locks of the leader.
     */
    static Properties properties(Path data, ClusterMembers members) {
        Properties all = new Properties();
        for (int id = 1; id <= members.all().size(); id++) {
            Member member = members.of(id);
            all.setProperty("server." + id, member.host() + ":" + member.peer() + ":" + member.election());
        }
        all.setProperty("dataDir", data.toString());
        all.setProperty("tickTime", "500");
        all.setProperty("initLimit", "20");
        all.setProperty("syncLimit", "8");
        all.setProperty("admin.enableServer", "false");
        return all;
    }

    static MemberServer start(QuorumPeerConfig config) {
        MemberServer server = new MemberServer();
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

    boolean serves() {
        return quorumPeer != null && quorumPeer.getZabState() == ZabState.BROADCAST;
    }

    List<ServerGauge> gauges() {
        return List.of(
                new ServerGauge("leader", "1 if this member leads, else 0", () -> leader().isPresent() ? 1 : 0),
                new ServerGauge(
                        "followers",
                        "Members that follow this one and have what it wrote; 0 if it does not lead",
                        () -> leader().map(leader ->
                                        leader.getForwardingFollowers().size())
                                .orElse(0)),
                new ServerGauge("outstanding", "Requests that this member has not answered yet", () -> active().map(
                                ZooKeeperServer::getOutstandingRequests)
                        .orElse(0L)),
                new ServerGauge(
                        "sync.seconds",
                        "Duration of the last write to the disk",
                        () -> active().map(server -> server.getTxnLogFactory().getTxnLogElapsedSyncTime())
                                        .orElse(0L)
                                / MILLIS_PER_SECOND));
    }

    private Optional<Leader> leader() {
        return Optional.ofNullable(quorumPeer).map(peer -> peer.leader);
    }

    private Optional<ZooKeeperServer> active() {
        return Optional.ofNullable(quorumPeer).map(QuorumPeer::getActiveServer);
    }

    void stop() {
        if (quorumPeer != null) {
            quorumPeer.shutdown();
        }
    }
}
