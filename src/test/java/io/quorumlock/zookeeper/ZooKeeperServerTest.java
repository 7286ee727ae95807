// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.zookeeper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.fleet.PolledServer.State;
import io.quorumlock.fleet.ServerFailure;
import io.quorumlock.fleet.StoreMajority;
import io.quorumlock.testing.RealLoop;
import io.quorumlock.testing.SharedZooKeeper;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.ForkJoinPool;
import org.apache.zookeeper.client.ConnectStringParser;
import org.junit.jupiter.api.Test;

class ZooKeeperServerTest {

    @Test
    void tellsRole() {
        InetSocketAddress address = new ConnectStringParser(SharedZooKeeper.SERVER.address())
                .getServerAddresses()
                .get(0);
        ZooKeeperServer server = new ZooKeeperServer(
                address,
                TestSettings.of(SharedZooKeeper.SERVER.address()),
                new StoreMajority(1),
                ForkJoinPool.commonPool());
        State state = RealLoop.await(server.ask().toCompletableFuture());
        assertEquals(State.of("standalone"), state);
        assertTrue(server.address().endsWith(":" + address.getPort()), server.address());
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
