// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.zookeeper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.quorumlock.core.fleet.PolledServer.State;
import io.quorumlock.core.fleet.StoreMajority;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.engines.consensus.RecordStore;
import io.quorumlock.engines.consensus.RecordStore.Change;
import io.quorumlock.engines.consensus.StoreReply;
import io.quorumlock.engines.zookeeper.ZooKeeperSettings.Security;
import io.quorumlock.testing.Certificate;
import io.quorumlock.testing.MasterLog;
import io.quorumlock.testing.RealLoop;
import io.quorumlock.testing.RealStore;
import io.quorumlock.testing.RecordedReports;
import io.quorumlock.testing.SharedZooKeeper;
import io.quorumlock.testing.ZooKeeperCluster;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ConnectStringParser;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TLS with certificates of both sides, and a user with a password. */
@Tag("nightly")
class ZooKeeperSecurityTest {
    private static final ResourceName NAME = new ResourceName("orders/42");
    private static final String ROOT = "/secured";

    @TempDir
    Path files;

    private Path keyFile;
    private ZooKeeperCluster server;

    @BeforeEach
    void start() throws IOException {
        Certificate certificate = Certificate.of("localhost", files);
        Path key = files.resolve("key");
        certificate.writeKey(key);
        keyFile = Files.writeString(
                files.resolve("both.pem"), Files.readString(certificate.pem()) + Files.readString(key));
        server = ZooKeeperCluster.secured(keyFile, certificate.pem());
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void onlyUserReachesRecordsOverTls() throws Exception {
        Security security = new Security(
                Optional.of("quorumlock:secret"), Optional.of(files.resolve("localhost.pem")), Optional.of(keyFile));
        ZooKeeperSettings settings = TestSettings.of(server.securedAddress(), ROOT, security);
        try (RealStore store = new RealStore(
                SharedZooKeeper.LOOP,
                context -> new ZooKeeperStore(settings, ForkJoinPool.commonPool(), context, new MasterLog()))) {
            RecordStore records = store.connect(new RecordedReports());
            StoreReply written = store.ask(reply -> records.commit(List.of(Change.create(NAME, "text")), reply));
            assertInstanceOf(StoreReply.Committed.class, written);
            assertInstanceOf(StoreReply.Found.class, store.ask(reply -> records.read(List.of(NAME), reply)));
            ZooKeeper stranger = new ZooKeeper(server.addresses(), 20_000, event -> {});
            assertThrows(KeeperException.NoAuthException.class, () -> stranger.getChildren(ROOT, false));
            stranger.close();
        }
        InetSocketAddress address = new ConnectStringParser(server.securedAddress())
                .getServerAddresses()
                .get(0);
        ZooKeeperServer asked = new ZooKeeperServer(address, settings, new StoreMajority(1), ForkJoinPool.commonPool());
        assertEquals(State.of("standalone"), RealLoop.await(asked.ask().toCompletableFuture()));
    }

    @Test
    void needsNoRightAboveRootThatExists() throws Exception {
        CompletableFuture<Void> connected = new CompletableFuture<>();
        ZooKeeper operator = new ZooKeeper(server.addresses(), 20_000, event -> connected.complete(null));
        RealLoop.await(connected);
        operator.create("/theirs", new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        operator.create("/theirs/locks", new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        operator.setACL("/theirs", Ids.READ_ACL_UNSAFE, -1);
        operator.close();
        ZooKeeperSettings settings = TestSettings.of(server.addresses(), "/theirs/locks", Security.NONE);
        try (RealStore store = new RealStore(
                SharedZooKeeper.LOOP,
                context -> new ZooKeeperStore(settings, ForkJoinPool.commonPool(), context, new MasterLog()))) {
            RecordStore records = store.connect(new RecordedReports());
            StoreReply written = store.ask(reply -> records.commit(List.of(Change.create(NAME, "text")), reply));
            assertInstanceOf(StoreReply.Committed.class, written);
        }
    }
}
