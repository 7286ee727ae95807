// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.quorumlock.testing.Background;
import io.quorumlock.testing.LockClient;
import io.quorumlock.testing.LockClient.Answer;
import io.quorumlock.testing.Proves;
import io.quorumlock.testing.SeededRandom;
import io.quorumlock.testing.ServiceProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packaged service with a folder and no other servers. */
@Proves({"S1", "S3", "S4"})
class FolderStoreIT {
    private static final int CLIENTS = 4;
    private static final int LONG_TTL_MS = 3_600_000;

    @TempDir
    Path folder;

    /** A lease that was answered with 201. */
    private record Granted(String token, long fence) {}

    private ServiceProcess start() {
        return ServiceProcess.startReady(Map.of(
                "QUORUMLOCK_CLUSTER_DATA",
                folder.toString(),
                "QUORUMLOCK_ZOOKEEPER_TIMEOUT",
                "10s")); // for a busy machine
    }

    @Test
    void keepsLeasesWhenKilledAndItsFolderFromOthers() {
        String token;
        long fence;
        try (ServiceProcess first = start()) {
            Answer lease = first.client().acquire("kept", 60_000);
            token = lease.token();
            fence = fence(lease);
            // The end of the block kills it.
        }
        try (ServiceProcess second = start()) {
            LockClient client = second.client();
            assertEquals(423, client.acquire("kept", 60_000).status());
            assertEquals(409, client.extend("kept", "another-holders-token").status());
            assertEquals(200, client.extend("kept", token).status());
            assertEquals(204, client.release("kept", token).status());
            assertTrue(fence(client.acquire("kept", 60_000)) > fence);
            JsonNode nodes = client.get("/nodes").body();
            assertEquals(
                    "zookeeper 0 1",
                    nodes.path("engine").asText() + " " + nodes.path("tolerance") + " " + nodes.path("up"));
            assertRefused("in use by another process; stop it");
            assertEquals(201, client.acquire("works", 60_000).status());
        }
    }

    @Test
    @Tag("nightly")
    void namesReasonIfTheStoreDoesNotStart() throws IOException {
        Files.writeString(folder.resolve("version-2"), "a file in place of the folder of the store");
        assertRefused("java.io.FileNotFoundException: " + folder);
    }

    private void assertRefused(String why) {
        try (ServiceProcess service = ServiceProcess.start(Map.of("QUORUMLOCK_CLUSTER_DATA", folder.toString()))) {
            assertEquals(1, service.exitCode(Duration.ofSeconds(30)), service::output);
            assertTrue(service.output().contains("QUORUMLOCK_CLUSTER_DATA=" + folder + ": " + why), service::output);
        }
    }

    /** Kills the process at random moments, of which many are in the middle of a write. */
    @Test
    @Tag("nightly")
    void keepsEveryAnsweredLeaseOverManyKills() {
        int kills = Integer.getInteger("folder.kills", 10);
        long seed = Long.getLong("folder.seed", System.nanoTime());
        System.out.println("folder.seed " + seed);
        SeededRandom random = new SeededRandom(seed);
        Map<String, Granted> granted = new ConcurrentHashMap<>();
        AtomicInteger names = new AtomicInteger();
        long largest = 0;
        int checked = 0;
        for (int i = 0; i <= kills; i++) {
            try (ServiceProcess service = start()) {
                LockClient client = service.client();
                long before = fence(client.acquire("start/" + i, LONG_TTL_MS));
                assertTrue(before > largest, "start " + i + ": token " + before + " after " + largest);
                largest = before;
                granted.forEach((name, lease) -> assertHeld(client, name, lease));
                checked += granted.size();
                granted.clear();
                List<CompletableFuture<Void>> clients = new ArrayList<>();
                for (int c = 0; c < CLIENTS; c++) {
                    clients.add(Background.run(() -> acquireUntilKilled(service.client(), names, granted)));
                }
                Pause.of(Duration.ofMillis(random.between(20, 500)));
                service.handle().destroyForcibly();
                service.exitCode();
                clients.forEach(CompletableFuture::join);
            }
            largest = Math.max(
                    largest,
                    granted.values().stream().mapToLong(Granted::fence).max().orElse(0));
        }
        assertTrue(checked > 0, "no lease was granted");
    }

    private static void acquireUntilKilled(LockClient client, AtomicInteger names, Map<String, Granted> granted) {
        try {
            while (true) {
                String name = "many/" + names.incrementAndGet();
                Answer lease = client.acquire(name, LONG_TTL_MS);
                if (lease.status() != 201) {
                    return;
                }
                granted.put(name, new Granted(lease.token(), fence(lease)));
            }
        } catch (UncheckedIOException killed) {
            // Nothing was answered.
        }
    }

    private static void assertHeld(LockClient client, String name, Granted lease) {
        Answer extended = client.extend(name, lease.token());
        assertEquals(200, extended.status(), name);
        assertEquals(lease.fence(), fence(extended), name);
    }

    private static long fence(Answer lease) {
        return lease.body().path("fencingToken").asLong();
    }
}
