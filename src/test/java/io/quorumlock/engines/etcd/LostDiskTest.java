// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.etcd;

import static io.quorumlock.testing.EngineFixture.A;
import static io.quorumlock.testing.EngineFixture.B;
import static io.quorumlock.testing.EngineFixture.RESOURCE;
import static io.quorumlock.testing.EngineFixture.terms;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.fleet.PolledFleet;
import io.quorumlock.core.fleet.ServerFailure;
import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.loop.Drift;
import io.quorumlock.core.loop.EngineSettings;
import io.quorumlock.engines.consensus.Consensus;
import io.quorumlock.testing.EtcdCluster;
import io.quorumlock.testing.EventLog;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.MasterLog;
import io.quorumlock.testing.Proves;
import io.quorumlock.testing.RealLoop;
import io.quorumlock.testing.SharedEtcd;
import io.vertx.core.http.HttpClientOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Members of several clusters in one list, on real clusters. */
@Tag("tools")
@Proves({"R1", "R2"})
class LostDiskTest {
    private final RealLoop loop = SharedEtcd.loop();
    private final String root = SharedEtcd.newRoot();
    private final List<EtcdCluster> clusters = new ArrayList<>();
    private final List<EtcdStore> stores = new ArrayList<>();

    @AfterEach
    void stop() {
        stores.forEach(store -> RealLoop.await(store.close()));
        clusters.forEach(EtcdCluster::close);
    }

    private EtcdCluster cluster(int size) {
        EtcdCluster cluster = EtcdCluster.of(size);
        clusters.add(cluster);
        return cluster;
    }

    @Test
    void memberThatCameBackAsOwnClusterGrantsNothing() {
        EtcdCluster cluster = cluster(3);
        List<MemberAddress> members = cluster.addresses();
        EtcdStore running = store(members, 0);
        Consensus first = engine(running);
        RealLoop.await(running.firstReady());
        assertInstanceOf(Acquisition.Acquired.class, RealLoop.await(first.acquire(RESOURCE, terms(A))));
        int lost = members.indexOf(running.member.address());
        cluster.kill(lost);
        cluster.startAlone(lost);
        PolledFleet fleet = new PolledFleet(
                running.members(), running::isReady, Duration.ofSeconds(2), loop.engineContext, new MasterLog());
        RealLoop.await(fleet.start());
        Eventually.holds(
                () -> "not shown: " + fleet.servers(),
                () -> fleet.up() == 2
                        && fleet.servers().get(lost).problem().equals(Optional.of(ServerFailure.REFUSED)));
        Eventually.holds("no other member", running::isReady);
        assertHeld(first);
        for (int place = 0; place < 3; place++) {
            EtcdStore later = store(members, place);
            Consensus engine = engine(later);
            RealLoop.await(later.firstReady());
            assertHeld(engine);
            assertTrue(later.members().get(lost).refusal().isPresent());
        }
    }

    private static void assertHeld(Consensus engine) {
        Eventually.holds(
                "not held", () -> RealLoop.await(engine.acquire(RESOURCE, terms(B))) instanceof Acquisition.Held);
    }

    @Test
    void twoClustersAreRefused() {
        EtcdStore store = store(
                Stream.of(cluster(1), cluster(1))
                        .flatMap(cluster -> cluster.addresses().stream())
                        .toList(),
                0);
        engine(store);
        Eventually.holds("not refused", () -> store.members().stream()
                .allMatch(server -> server.refusal().isPresent()));
        String reason = "needs 2 of 2 servers in one store, but localhost:";
        Eventually.holds(() -> "no reason: " + store.problem(), () -> store.problem()
                .filter(problem -> problem.startsWith(reason))
                .isPresent());
        assertFalse(store.firstReady().isDone());
    }

    @Test
    void oneMemberWithTwoNamesIsRefused() {
        MemberAddress member = cluster(1).addresses().get(0);
        EtcdStore store = store(List.of(member, MemberAddress.of("http://127.0.0.1:" + member.port())), 0);
        engine(store);
        Eventually.holds("not refused", () -> store.members().stream()
                .anyMatch(server -> server.refusal().isPresent()));
        assertFalse(store.firstReady().isDone());
    }

    /** @param first the place of the member with which the replica begins */
    private EtcdStore store(List<MemberAddress> members, int first) {
        EtcdSettings settings = new EtcdSettings(
                members, root, false, Duration.ofSeconds(2), Optional.empty(), new HttpClientOptions());
        EtcdStore store = new EtcdStore(
                settings,
                loop.vertx,
                loop.choosing(new FirstMember(first, loop.engineContext.random())),
                new MasterLog());
        stores.add(store);
        return store;
    }

    /** Draws the first member. */
    private record FirstMember(int place, RandomGenerator others) implements RandomGenerator {
        @Override
        public long nextLong() {
            return others.nextLong();
        }

        @Override
        public int nextInt(int bound) {
            return place;
        }
    }

    private Consensus engine(EtcdStore store) {
        Consensus engine = new Consensus(
                store,
                new EngineSettings(
                        new Drift(0.01, Duration.ofMillis(2)),
                        OptionalInt.empty(),
                        Duration.ofMinutes(1),
                        Duration.ofMillis(100)),
                loop.engineContext,
                new EventLog());
        engine.start();
        return engine;
    }
}
