// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.zookeeper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.fleet.StoreMajority;
import io.quorumlock.engines.consensus.RecordLayout;
import io.quorumlock.engines.zookeeper.ZooKeeperSettings.Security;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.LocalZooKeeper;
import io.quorumlock.testing.MasterLog;
import io.quorumlock.testing.Proves;
import io.quorumlock.testing.RealLoop;
import io.quorumlock.testing.RecordedReports;
import io.quorumlock.testing.SharedZooKeeper;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZKUtil;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ConnectStringParser;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Roots with which a replica must not work, and servers of several ensembles in one list. */
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(SharedZooKeeper.NAME)
@Proves({"R1", "R2"})
class StoreRootTest {
    private final List<ZooKeeperStore> stores = new ArrayList<>();

    @AfterEach
    void close() {
        stores.forEach(store -> RealLoop.await(store.close()));
    }

    /** It would not see the records of replicas of the other version. */
    @Test
    void refusesRootWithOtherLayout() throws Exception {
        String root = SharedZooKeeper.newRoot();
        create(root, "0");
        assertRefused(
                root, "the root has records with the layout 0, but this version of the service needs the layout 1");
    }

    @Test
    void refusesRecordsWithoutLayout() throws Exception {
        String root = SharedZooKeeper.newRoot();
        create(root, "");
        create(root + "/0f", "");
        assertRefused(root, "the root has records with no version of their layout");
    }

    @Test
    void writesLayoutOfRoot() throws Exception {
        String created = SharedZooKeeper.newRoot();
        RealLoop.await(open(SharedZooKeeper.SERVER.address(), created).firstReady());
        assertEquals(RecordLayout.VERSION, text(created));
        String ofOperator = SharedZooKeeper.newRoot();
        create(ofOperator, "");
        RealLoop.await(open(SharedZooKeeper.SERVER.address(), ofOperator).firstReady());
        assertEquals(RecordLayout.VERSION, text(ofOperator));
    }

    /** An earlier attempt may have failed for another reason. */
    private static void awaitProblem(ZooKeeperStore store, String beginning) {
        Eventually.holds(() -> "not refused: " + store.problem(), () -> store.problem()
                .filter(problem -> problem.startsWith(beginning))
                .isPresent());
    }

    private void assertRefused(String root, String reason) {
        ZooKeeperStore store = open(SharedZooKeeper.SERVER.address(), root);
        awaitProblem(store, reason);
        assertFalse(store.firstReady().isDone());
    }

    /** Each would grant every lock. */
    @Test
    void refusesTwoStandaloneServers() throws Exception {
        try (LocalZooKeeper other = new LocalZooKeeper()) {
            String servers = SharedZooKeeper.SERVER.address() + "," + other.address();
            String root = SharedZooKeeper.newRoot();
            ZooKeeperStore store = open(servers, root);
            Eventually.holds("not refused", () -> store.members().stream()
                    .allMatch(server -> server.refusal().isPresent()));
            awaitProblem(store, "needs 2 of 2 servers in one store, but 127.0.0.1:");
            assertFalse(store.firstReady().isDone());
        }
    }

    /** The first session may be with a server that is not part of the ensemble yet. */
    @Test
    void choosesEnsembleAfterSessionWithOtherServer() throws Exception {
        try (LocalZooKeeper alone = new LocalZooKeeper()) {
            String ensemble = SharedZooKeeper.SERVER.address();
            // Two names stand for two servers of an ensemble.
            String servers = String.join(",", alone.address(), ensemble, ensemble.replace("127.0.0.1", "localhost"));
            ZooKeeperSettings settings = settings(servers, SharedZooKeeper.newRoot());
            StoreMajority majority = new StoreMajority(3);
            List<ZooKeeperServer> members = new ConnectStringParser(servers)
                    .getServerAddresses().stream()
                            .map(address -> new ZooKeeperServer(address, settings, majority, ForkJoinPool.commonPool()))
                            .toList();
            StoreRoot root = new StoreRoot(new RecordPaths(settings.root()), settings, members, majority);
            operator(alone.address(), client -> {
                String reason = RealLoop.await(root.prepare(new NodeCalls(client, settings.acl()))
                        .handle((done, failure) -> failure.getMessage()));
                assertTrue(reason.contains("needs 2 of 3 servers in one store, but " + alone.address()), reason);
            });
            operator(ensemble, client -> RealLoop.await(root.prepare(new NodeCalls(client, settings.acl()))));
            assertTrue(majority.refusal(alone.address()).orElseThrow().startsWith("belongs to the store "));
        }
    }

    /** It was started later, or its data were replaced. */
    @Test
    void refusesServerThatBecameOtherEnsemble() throws Exception {
        String root = SharedZooKeeper.newRoot();
        ZooKeeperStore store = open(SharedZooKeeper.SERVER.address(), root);
        RealLoop.await(store.firstReady());
        operator(client -> {
            ZKUtil.deleteRecursive(client, root);
            client.create(
                    root,
                    RecordLayout.VERSION.getBytes(StandardCharsets.UTF_8),
                    Ids.OPEN_ACL_UNSAFE,
                    CreateMode.PERSISTENT);
        });
        store.client.getTestable().injectSessionExpiration();
        awaitProblem(store, "a server belongs to the store ");
    }

    private ZooKeeperStore open(String servers, String root) {
        ZooKeeperStore store = new ZooKeeperStore(
                settings(servers, root),
                ForkJoinPool.commonPool(),
                SharedZooKeeper.LOOP.engineContext,
                new MasterLog());
        stores.add(store);
        SharedZooKeeper.LOOP.engineContext.loop().execute(() -> store.watch(new RecordedReports()));
        return store;
    }

    private static ZooKeeperSettings settings(String servers, String root) {
        return new ZooKeeperSettings(
                servers, root, false, Duration.ofSeconds(2), Duration.ofSeconds(20), Security.NONE);
    }

    private interface Operation {
        void run(ZooKeeper client) throws Exception;
    }

    /** Does what an operator does by hand. */
    private static void operator(Operation operation) throws Exception {
        operator(SharedZooKeeper.SERVER.address(), operation);
    }

    private static void operator(String server, Operation operation) throws Exception {
        CompletableFuture<Void> connected = new CompletableFuture<>();
        ZooKeeper client = new ZooKeeper(server, 20_000, event -> connected.complete(null));
        RealLoop.await(connected);
        operation.run(client);
        client.close();
    }

    private static void create(String path, String text) throws Exception {
        operator(client ->
                client.create(path, text.getBytes(StandardCharsets.UTF_8), Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT));
    }

    private static String text(String path) throws Exception {
        CompletableFuture<String> read = new CompletableFuture<>();
        operator(client -> read.complete(new String(client.getData(path, false, null), StandardCharsets.UTF_8)));
        return read.join();
    }
}
