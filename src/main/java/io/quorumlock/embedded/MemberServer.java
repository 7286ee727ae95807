// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.embedded;

import io.quorumlock.embedded.ClusterMembers.Member;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import javax.security.sasl.SaslException;
import org.apache.zookeeper.server.admin.AdminServer.AdminServerException;
import org.apache.zookeeper.server.quorum.QuorumPeer;
import org.apache.zookeeper.server.quorum.QuorumPeer.ZabState;
import org.apache.zookeeper.server.quorum.QuorumPeerConfig;
import org.apache.zookeeper.server.quorum.QuorumPeerMain;

/** A ZooKeeper server of an ensemble, in a thread of this process. */
final class MemberServer extends QuorumPeerMain {
    /** Completes when the server accepts requests for the first time, or with the reason why it ended before. */
    final CompletableFuture<Void> serving = new CompletableFuture<>();

    /** Returns the properties that all members have. A leader or member that is silent for four seconds is given up. */
    static Properties properties(Path data, ClusterMembers members) {
        Properties all = new Properties();
        for (int id = 1; id <= members.all().size(); id++) {
            Member member = members.of(id);
            all.setProperty("server." + id, member.host() + ":" + member.peer() + ":" + member.election());
        }
        all.setProperty("dataDir", data.toString());
        all.setProperty("tickTime", "500");
        all.setProperty("initLimit", "120");
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

    void stop() {
        if (quorumPeer != null) {
            quorumPeer.shutdown();
        }
    }
}
