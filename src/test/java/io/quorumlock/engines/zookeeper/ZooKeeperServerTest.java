// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.zookeeper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.fleet.PolledServer.State;
import io.quorumlock.core.fleet.ServerFailure;
import io.quorumlock.core.fleet.StoreMajority;
import io.quorumlock.core.fleet.StoreMajority.Identity;
import io.quorumlock.testing.RealLoop;
import io.quorumlock.testing.SharedZooKeeper;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.ForkJoinPool;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ConnectStringParser;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.Test;

class ZooKeeperServerTest {

    private final InetSocketAddress address = new ConnectStringParser(SharedZooKeeper.SERVER.address())
            .getServerAddresses()
            .get(0);
    private final ZooKeeperSettings settings = TestSettings.of(SharedZooKeeper.SERVER.address());
    private final StoreMajority majority = new StoreMajority(1);
    private final ZooKeeperServer server = new ZooKeeperServer(address, settings, majority, ForkJoinPool.commonPool());

    @Test
    void tellsRole() {
        State state = RealLoop.await(server.ask().toCompletableFuture());
        assertEquals(State.of("standalone"), state);
        assertTrue(server.address().endsWith(":" + address.getPort()), server.address());
    }

    /** One that lost its disk leads itself, and must not be taken for the leader of the others. */
    @Test
    void refusesServerWithoutOthersAmongSeveral() {
        ZooKeeperSettings several = TestSettings.of(SharedZooKeeper.SERVER.address() + ",other:2181");
        ZooKeeperServer alone = new ZooKeeperServer(address, several, new StoreMajority(2), ForkJoinPool.commonPool());
        State state = RealLoop.await(alone.ask().toCompletableFuture());
        assertEquals(Optional.of(ServerFailure.REFUSED), state.problem());
        assertEquals(Optional.empty(), state.role());
    }

    @Test
    void serverOfOtherEnsembleIsAskedAgain() throws Exception {
        Stat root = new Stat();
        ZooKeeper client = settings.connect(server.address(), settings.sessionTimeout(), event -> {});
        client.create(settings.root(), new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT, root);
        client.close();
        majority.told("another", new Identity(ZooKeeperServer.ensemble(Optional.of(root)), "another"));
        majority.told(server.address(), new Identity("before its repair", server.address()));
        assertTrue(server.refusal().isPresent());
        RealLoop.await(server.ask().toCompletableFuture());
        assertEquals(Optional.empty(), server.refusal());
    }

    @Test
    void serverWithoutLeaderIsNotUp() {
        State state = ZooKeeperServer.state("This ZooKeeper instance is not currently serving requests\n");
        assertEquals(Optional.of(ServerFailure.NO_LEADER), state.problem());
    }

    @Test
    void refusedCommandProvesContact() {
        String refusal = "srvr is not executed because it is not in the whitelist.";
        State state = ZooKeeperServer.state(refusal + "\n");
        assertEquals(new State(Optional.empty(), Optional.empty(), Optional.of(refusal)), state);
    }
}
