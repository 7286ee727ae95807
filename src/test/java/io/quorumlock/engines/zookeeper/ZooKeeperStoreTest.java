// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.zookeeper;

import static io.quorumlock.testing.EngineFixture.A;
import static io.quorumlock.testing.EngineFixture.B;
import static io.quorumlock.testing.EngineFixture.RESOURCE;
import static io.quorumlock.testing.EngineFixture.terms;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.NoQuorumReason.Effect;
import io.quorumlock.core.lock.Release;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.loop.Drift;
import io.quorumlock.core.loop.EngineSettings;
import io.quorumlock.engines.consensus.Consensus;
import io.quorumlock.engines.consensus.RecordLayout;
import io.quorumlock.engines.consensus.RecordStore.Change;
import io.quorumlock.engines.consensus.StoreReply;
import io.quorumlock.engines.zookeeper.ZooKeeperSettings.Security;
import io.quorumlock.testing.EventLog;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.LocalZooKeeper;
import io.quorumlock.testing.MasterLog;
import io.quorumlock.testing.Proves;
import io.quorumlock.testing.RealLoop;
import io.quorumlock.testing.RecordedReports;
import io.quorumlock.testing.SharedZooKeeper;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ForkJoinPool;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.ZooKeeper.States;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.server.auth.ProviderRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Connection loss and expiry of the session, on a server of its own. */
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(SharedZooKeeper.NAME)
@Proves("L2")
class ZooKeeperStoreTest {
    private static final int CHANGES = 30;

    private int outstanding = CHANGES;
    private LocalZooKeeper server;
    private ZooKeeperStore store;
    private Consensus engine;

    @BeforeEach
    void start() {
        server = new LocalZooKeeper();
        store = new ZooKeeperStore(
                TestSettings.of(server.address()),
                ForkJoinPool.commonPool(),
                SharedZooKeeper.LOOP.engineContext,
                new MasterLog());
        engine = new Consensus(
                store,
                new EngineSettings(
                        new Drift(0.01, Duration.ofMillis(2)),
                        OptionalInt.empty(),
                        Duration.ofMinutes(1),
                        Duration.ofMillis(100)),
                SharedZooKeeper.LOOP.engineContext,
                new EventLog());
        engine.start();
        RealLoop.await(store.firstReady());
    }

    @AfterEach
    void stop() {
        RealLoop.await(store.close());
        server.close();
    }

    @Test
    void keepsLeasesWhileTheServerRestarts() {
        assertInstanceOf(Acquisition.Acquired.class, RealLoop.await(engine.acquire(RESOURCE, terms(A))));
        server.stop();
        Eventually.holds("no connection loss", () -> !store.isReady());
        Acquisition.NoQuorum none =
                assertInstanceOf(Acquisition.NoQuorum.class, RealLoop.await(engine.acquire(RESOURCE, terms(B))));
        assertEquals(Effect.NONE, none.why().effect());
        server.start();
        Eventually.holds("no reconnect", store::isReady);
        assertInstanceOf(Acquisition.Held.class, RealLoop.await(engine.acquire(RESOURCE, terms(B))));
        assertInstanceOf(Release.Released.class, RealLoop.await(engine.release(RESOURCE, A)));
    }

    /** They have the number of one write. */
    @Test
    void changesOfOneTurnAreSentTogether() {
        Set<Long> revisions = ConcurrentHashMap.newKeySet();
        CompletableFuture<Void> done = new CompletableFuture<>();
        SharedZooKeeper.LOOP.engineContext.loop().execute(() -> {
            for (int i = 0; i < CHANGES; i++) {
                store.commit(List.of(Change.create(new ResourceName("turn/" + i), "text")), reply -> {
                    revisions.add(assertInstanceOf(StoreReply.Committed.class, reply)
                            .written()
                            .get(0)
                            .revision());
                    if (--outstanding == 0) {
                        done.complete(null);
                    }
                });
            }
        });
        RealLoop.await(done);
        assertEquals(1, revisions.size());
    }

    /** The client library ends a session whose user was refused, and does not connect again. */
    @Test
    void connectsAgainAfterServerRefusedItsUser() {
        Security security = new Security(Optional.of("quorumlock:secret"), Optional.empty(), Optional.empty());
        ZooKeeperStore refused = new ZooKeeperStore(
                TestSettings.of(server.address(), SharedZooKeeper.newRoot(), security),
                ForkJoinPool.commonPool(),
                SharedZooKeeper.LOOP.engineContext,
                new MasterLog());
        ProviderRegistry.initialize();
        ProviderRegistry.removeProvider("digest");
        try {
            refused.watch(new RecordedReports());
            Eventually.holds("not refused", () -> refused.client.getState() == States.AUTH_FAILED);
        } finally {
            ProviderRegistry.reset();
        }
        Eventually.holds("no reconnect", refused::isReady);
        RealLoop.await(refused.close());
    }

    /** The watch began, and the records could not be read. Changes until the next session are not reported. */
    @Test
    void reportsLossOfWatchWhoseRecordsCannotBeRead() throws Exception {
        ZooKeeperSettings settings = TestSettings.of(server.address());
        String bucket = settings.root() + "/000";
        ZooKeeper operator = store.client;
        byte[] layout = RecordLayout.VERSION.getBytes(StandardCharsets.UTF_8);
        operator.create(settings.root(), layout, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        List<ACL> unreadable = Collections.singletonList(new ACL(Perms.ADMIN, Ids.ANYONE_ID_UNSAFE));
        operator.create(bucket, new byte[0], unreadable, CreateMode.PERSISTENT);
        ZooKeeperStore refused = new ZooKeeperStore(
                settings, ForkJoinPool.commonPool(), SharedZooKeeper.LOOP.engineContext, new MasterLog());
        RecordedReports reports = new RecordedReports();
        SharedZooKeeper.LOOP.engineContext.loop().execute(() -> refused.watch(reports));
        Eventually.holds("no failure", () -> refused.problem().isPresent());
        Eventually.holds("not lost", () -> reports.distinct().equals(List.of("restarted", "lost")));
        operator.setACL(bucket, Ids.OPEN_ACL_UNSAFE, -1);
        Eventually.holds("no reconnect", refused::isReady);
        RealLoop.await(refused.close());
    }

    /** A replica owns nothing: its leases are not bound to its session. */
    @Test
    void keepsLeasesWhenTheSessionExpires() {
        assertInstanceOf(Acquisition.Acquired.class, RealLoop.await(engine.acquire(RESOURCE, terms(A))));
        ZooKeeper expired = store.client;
        expired.getTestable().injectSessionExpiration();
        Eventually.holds("no new session", () -> store.isReady() && store.client != expired);
        assertInstanceOf(Acquisition.Held.class, RealLoop.await(engine.acquire(RESOURCE, terms(B))));
        assertInstanceOf(Release.Released.class, RealLoop.await(engine.release(RESOURCE, A)));
    }
}
