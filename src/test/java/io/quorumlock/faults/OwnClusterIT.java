// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.documentation.Document;
import io.quorumlock.testing.Background;
import io.quorumlock.testing.Certificate;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.LockClient;
import io.quorumlock.testing.LockClient.Answer;
import io.quorumlock.testing.Proves;
import io.quorumlock.testing.RealLoop;
import io.quorumlock.testing.ServiceProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.zookeeper.client.FourLetterWordMain;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three packaged services that keep the locks in their folders, and no other servers. */
@Order(1)
@Tag("nightly")
@Proves({"S1", "S3", "S4", "L2"})
class OwnClusterIT {
    private static final int LONG_TTL_MS = 3_600_000;
    private static final String LOCK = "kept";
    private static final String OTHERS = "a:2181:2888:3888,b:2181:2888:3888,c:2181:2888:3888";

    @TempDir
    Path folder;

    @Test
    void goesOnWithoutItsLeaderAndGivesLocksToMemberWithNewDisk() {
        try (OwnCluster cluster = OwnCluster.found(folder)) {
            Answer lease = lease(cluster.client(0));
            assertEquals(
                    423,
                    answered(() -> cluster.client(1).acquire(LOCK, LONG_TTL_MS)).status());
            int leader = cluster.leader();
            int other = (leader + 1) % OwnCluster.SIZE;
            cluster.kill(leader);
            awaitGrant(cluster.client(other), "after-the-loss");
            assertEquals(
                    200,
                    answered(() -> cluster.client(other).extend(LOCK, lease.token()))
                            .status());

            cluster.wipe(leader);
            cluster.start(leader);
            cluster.awaitReady(leader);
            assertMeasured(cluster);
            assertTrue(cluster.process(leader).output().contains("new member folder="), () -> cluster.process(leader)
                    .output());
            cluster.kill(other);
            awaitGrant(cluster.client(leader), "with-the-new-disk");
            assertEquals(
                    423,
                    answered(() -> cluster.client(leader).acquire(LOCK, LONG_TTL_MS))
                            .status());
            answered(() -> cluster.client(leader).release(LOCK, lease.token()));
            assertTrue(fence(lease(cluster.client(leader))) > fence(lease));
        }
    }

    private static void assertMeasured(OwnCluster cluster) {
        Set<String> documented = Document.docs("cluster.md").rows("quorumlock_store_").stream()
                .map(row -> row.get(0))
                .collect(Collectors.toSet());
        LockClient leader = cluster.client(cluster.leader());
        String exported = leader.get("/q/metrics").response().body();
        assertEquals(
                documented,
                exported.lines()
                        .filter(line -> line.startsWith("quorumlock_store_"))
                        .map(line -> line.split(" ")[0])
                        .collect(Collectors.toSet()));
        Eventually.holds("followers", () -> leader.metric("quorumlock_store_followers") == OwnCluster.SIZE - 1);
    }

    @Test
    void oneMachineBecomesThreeWithItsLocks() throws IOException {
        Answer lease;
        Path alone = folder.resolve("alone");
        try (ServiceProcess single = ServiceProcess.startReady(Map.of("QUORUMLOCK_CLUSTER_DATA", alone.toString()))) {
            lease = single.client().acquire(LOCK, LONG_TTL_MS);
            single.terminate();
            single.exitCode();
        }
        try (OwnCluster cluster = new OwnCluster(folder, Map.of())) {
            for (int member = 0; member < OwnCluster.SIZE; member++) {
                cluster.copy(alone, member);
                cluster.start(member);
            }
            OwnCluster.all().forEach(cluster::awaitReady);
            OwnCluster.all()
                    .forEach(member -> assertEquals(
                            423,
                            answered(() -> cluster.client(member).acquire(LOCK, LONG_TTL_MS))
                                    .status()));
            answered(() -> cluster.client(1).release(LOCK, lease.token()));
            assertTrue(fence(lease(cluster.client(2))) > fence(lease));
        }
    }

    @Test
    void membersWithNewDisksServeNoEmptyStore() throws IOException {
        try (OwnCluster cluster = OwnCluster.found(folder)) {
            Answer lease = lease(cluster.client(0));
            OwnCluster.all().forEach(cluster::kill);
            cluster.wipe(0);
            cluster.wipe(1);
            cluster.start(0);
            cluster.start(1);
            assertNeverReady(cluster, 0, 1);
            cluster.start(2);
            assertNeverReady(cluster, 0, 1, 2);

            // What the document says to do then.
            OwnCluster.all().forEach(cluster::kill);
            for (int member : List.of(0, 1)) {
                cluster.wipe(member);
                cluster.copy(cluster.folder(2), member);
            }
            OwnCluster.all().forEach(cluster::start);
            OwnCluster.all().forEach(cluster::awaitReady);
            assertEquals(
                    423,
                    answered(() -> cluster.client(0).acquire(LOCK, LONG_TTL_MS)).status());
            assertEquals(
                    200,
                    answered(() -> cluster.client(1).extend(LOCK, lease.token()))
                            .status());
        }
    }

    @Test
    void membersAndClientsNeedCertificates() throws Exception {
        Certificate certificate = Certificate.of("localhost", folder);
        Path key = folder.resolve("key.pem");
        certificate.writeKey(key);
        Path both = Files.writeString(
                folder.resolve("both.pem"), Files.readString(certificate.pem()) + Files.readString(key));
        Map<String, String> tls = Map.of(
                "QUORUMLOCK_ZOOKEEPER_CA_FILE",
                certificate.pem().toString(),
                "QUORUMLOCK_ZOOKEEPER_KEY_FILE",
                both.toString());
        try (OwnCluster cluster = OwnCluster.found(folder, tls)) {
            assertEquals(
                    201, answered(() -> cluster.client(0).acquire(LOCK, 60_000)).status());
            assertEquals(
                    423, answered(() -> cluster.client(1).acquire(LOCK, 60_000)).status());
            assertFalse(plainAnswer(cluster.clientPort(0)).contains("Mode"));
        }
    }

    private static String plainAnswer(int port) throws Exception {
        try {
            return FourLetterWordMain.send4LetterWord("localhost", port, "srvr", false, 2_000);
        } catch (IOException refused) {
            return "";
        }
    }

    /** Nobody served the first time, so that nothing can be lost. */
    @Test
    void isFoundedAfterStartWithoutTheSetting() {
        try (OwnCluster cluster = new OwnCluster(folder, Map.of())) {
            OwnCluster.all().forEach(cluster::start);
            assertNeverReady(cluster, 0, 1, 2);
            OwnCluster.all().forEach(cluster::kill);
            cluster.found();
            assertEquals(
                    201,
                    answered(() -> cluster.client(0).acquire(LOCK, LONG_TTL_MS)).status());
        }
    }

    @Test
    void keepsEveryAnsweredLeaseWhenAllAreKilledAtOnce() {
        try (OwnCluster cluster = OwnCluster.found(folder)) {
            Map<String, String> granted = new ConcurrentHashMap<>();
            AtomicInteger names = new AtomicInteger();
            AtomicBoolean ended = new AtomicBoolean();
            List<CompletableFuture<Void>> clients = acquireUntil(ended, cluster, granted, names);
            Eventually.holds("grants", () -> granted.size() > 500);
            OwnCluster.all().forEach(member -> cluster.process(member).handle().destroyForcibly());
            ended.set(true);
            clients.forEach(CompletableFuture::join);
            OwnCluster.all().forEach(cluster::kill);
            OwnCluster.all().forEach(cluster::start);
            OwnCluster.all().forEach(cluster::awaitReady);
            assertHeld(cluster.client(0), granted);
        }
    }

    @Test
    void rollingUpdateLosesNoLease() {
        try (OwnCluster cluster = OwnCluster.found(folder)) {
            Map<String, String> granted = new ConcurrentHashMap<>();
            AtomicBoolean ended = new AtomicBoolean();
            List<CompletableFuture<Void>> clients = acquireUntil(ended, cluster, granted, new AtomicInteger());
            for (int member = 0; member < OwnCluster.SIZE; member++) {
                int before = granted.size();
                cluster.process(member).terminate();
                assertEquals(143, cluster.process(member).exitCode());
                cluster.start(member);
                cluster.awaitReady(member);
                Eventually.holds("grants", () -> granted.size() > before);
            }
            ended.set(true);
            clients.forEach(CompletableFuture::join);
            assertHeld(cluster.client(0), granted);
        }
    }

    /** The leader cannot reach the other members, but its clients reach it. */
    @Test
    void leaderThatIsCutOffGrantsNothing() {
        try (RealLoop loop = new RealLoop();
                OwnCluster cluster = new OwnCluster(folder, Map.of())) {
            cluster.useProxies(loop);
            cluster.found();
            Answer lease = lease(cluster.client(0));
            int leader = cluster.leader();
            int other = (leader + 1) % OwnCluster.SIZE;
            cluster.cut(leader, true);
            CompletableFuture<Integer> old = Background.supply(() -> grants(cluster.client(leader)));
            awaitGrant(cluster.client(other), "on-either-side");
            Eventually.holds("not ready", () -> !cluster.client(leader).isReady());
            assertEquals(0, old.join());
            answered(() -> cluster.client(other).release(LOCK, lease.token()));
            Answer next = lease(cluster.client(other));
            assertTrue(fence(next) > fence(lease));
            cluster.cut(leader, false);
            cluster.awaitReady(leader);
            assertEquals(
                    409,
                    answered(() -> cluster.client(leader).extend(LOCK, lease.token()))
                            .status());
            assertEquals(
                    200,
                    answered(() -> cluster.client(leader).extend(LOCK, next.token()))
                            .status());
        }
    }

    /** Acquires the same lock again and again, and counts the grants. */
    private static int grants(LockClient client) {
        int grants = 0;
        for (int attempt = 0; attempt < 50; attempt++) {
            grants += client.acquire("on-either-side", LONG_TTL_MS).status() == 201 ? 1 : 0;
            Pause.of(Duration.ofMillis(100));
        }
        return grants;
    }

    /** A limit for the size of files fails writes as a full disk does. */
    @Test
    void othersGoOnWithoutMemberThatCannotWrite() throws Exception {
        try (OwnCluster cluster = OwnCluster.found(folder)) {
            Map<String, String> granted = new ConcurrentHashMap<>();
            AtomicBoolean ended = new AtomicBoolean();
            List<CompletableFuture<Void>> clients = acquireUntil(ended, cluster, granted, new AtomicInteger());
            ServiceProcess full = cluster.process(2);
            Process limit = new ProcessBuilder(
                            "prlimit",
                            "--fsize=1000000",
                            "--pid",
                            Long.toString(full.handle().pid()))
                    .inheritIO()
                    .start();
            assertEquals(0, limit.waitFor());
            Eventually.within(
                    OwnCluster.LONG,
                    "still a member",
                    () -> !full.handle().isAlive() || !full.client().isReady());
            int before = granted.size();
            Eventually.holds("grants", () -> granted.size() > before + 100);
            cluster.kill(2);
            cluster.start(2);
            cluster.awaitReady(2);
            ended.set(true);
            clients.forEach(CompletableFuture::join);
            assertHeld(cluster.client(2), granted);
        }
    }

    private static void assertHeld(LockClient client, Map<String, String> granted) {
        granted.forEach((name, token) ->
                assertEquals(200, answered(() -> client.extend(name, token)).status(), name));
    }

    @Test
    void refusesFolderOfAnotherMemberAndOfAnotherCluster() throws IOException {
        OwnCluster cluster = new OwnCluster(folder, Map.of());
        Files.createDirectories(cluster.folder(0));
        Files.writeString(cluster.folder(0).resolve("myid"), "2\n");
        assertRefused(cluster, "the folder of member 2, and this is member 1 of the list");
        Files.delete(cluster.folder(0).resolve("myid"));
        Files.writeString(cluster.folder(0).resolve("members"), OTHERS + "\n");
        assertRefused(
                cluster, "the folder of a cluster of " + OTHERS + "; the number and the order of members are fixed");
    }

    /** Alone, it would grant locks beside the other members. */
    @Test
    void memberDoesNotStartAlone() throws IOException {
        OwnCluster cluster = new OwnCluster(folder, Map.of());
        Files.createDirectories(cluster.folder(0));
        Files.writeString(cluster.folder(0).resolve("members"), OTHERS + "\n");
        String data = cluster.folder(0).toString();
        try (ServiceProcess refused = ServiceProcess.start(Map.of("QUORUMLOCK_CLUSTER_DATA", data))) {
            assertEquals(1, refused.exitCode(OwnCluster.LONG), refused::output);
            String line = "QUORUMLOCK_CLUSTER_DATA=" + data
                    + ": the folder of a member; write QUORUMLOCK_CLUSTER_MEMBERS=" + OTHERS;
            assertTrue(refused.output().contains(line), refused::output);
        }
    }

    private static void assertRefused(OwnCluster cluster, String why) {
        try (ServiceProcess refused = cluster.start(0)) {
            assertEquals(1, refused.exitCode(OwnCluster.LONG), refused::output);
            assertTrue(
                    refused.output().contains("QUORUMLOCK_CLUSTER_DATA=" + cluster.folder(0) + ": " + why),
                    refused::output);
        }
    }

    private static List<CompletableFuture<Void>> acquireUntil(
            AtomicBoolean ended, OwnCluster cluster, Map<String, String> granted, AtomicInteger names) {
        List<CompletableFuture<Void>> clients = new ArrayList<>();
        OwnCluster.all()
                .forEach(member -> clients.add(Background.run(() -> {
                    while (!ended.get()) {
                        String name = "many/" + names.incrementAndGet();
                        try {
                            Answer lease = cluster.client(member).acquire(name, LONG_TTL_MS);
                            if (lease.status() == 201) {
                                granted.put(name, lease.token());
                            }
                        } catch (UncheckedIOException down) {
                            Pause.of(Duration.ofMillis(50));
                        }
                    }
                })));
        return clients;
    }

    /** For longer than the members of a cluster need. */
    private static void assertNeverReady(OwnCluster cluster, int... members) {
        long until = System.nanoTime() + Duration.ofSeconds(10).toNanos();
        while (System.nanoTime() < until) {
            for (int member : members) {
                assertFalse(cluster.client(member).isReady(), () -> cluster.process(member)
                        .output());
            }
            Pause.of(Duration.ofMillis(500));
        }
    }

    /** Acquires the lock with a token, so that a repeated call gets the lease that an earlier one may have. */
    private static Answer lease(LockClient client) {
        String token = UUID.randomUUID().toString();
        Answer lease = answered(() -> client.with("Lock-Token", token).acquire(LOCK, LONG_TTL_MS));
        assertTrue(lease.status() < 300, () -> lease.body().toString());
        return lease;
    }

    /** Repeats a call while the members elect a leader, which a busy machine may cause at any time. */
    private static Answer answered(Supplier<Answer> call) {
        AtomicReference<Answer> answer = new AtomicReference<>();
        Eventually.within(OwnCluster.LONG, () -> "only 503: " + answer.get().body(), () -> {
            answer.set(call.get());
            return answer.get().status() != 503;
        });
        return answer.get();
    }

    private static void awaitGrant(LockClient client, String name) {
        Eventually.within(
                OwnCluster.LONG,
                "no grant",
                () -> client.acquire(name, LONG_TTL_MS).status() == 201);
    }

    private static long fence(Answer lease) {
        return lease.body().path("fencingToken").asLong();
    }
}
