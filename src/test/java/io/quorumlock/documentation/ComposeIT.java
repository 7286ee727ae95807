// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.documentation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.quorumlock.embedded.FreePorts;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.LockClient;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The image and docker-compose.yml, with stopped masters. */
@Tag("docker")
@ResourceLock(Compose.ENGINE)
class ComposeIT {
    private static final int PORT = FreePorts.find(1).get(0);
    private static final URI SERVICE = URI.create("http://127.0.0.1:" + PORT);
    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static Compose compose;

    @BeforeAll
    static void up() {
        String project = "quorumlock-it-" + ProcessHandle.current().pid();
        Optional<Compose> found = Compose.find(
                project, Map.of("QUORUMLOCK_PORT", Integer.toString(PORT)), "docker-compose.yml", Compose.BUSY);
        assumeTrue(found.isPresent(), "no Docker engine answers, or Docker Compose is not installed");
        compose = found.get();
        compose.run("up", "-d", "--build");
        awaitReady();
    }

    @AfterAll
    static void down() {
        if (compose != null) {
            compose.close();
        }
    }

    @Test
    void keepsLocksWithoutMinorityAndRecoversWithMajority() {
        assertEquals(201, acquire("all-up").statusCode());
        compose.run("kill", "redis-1", "redis-2");
        assertEquals(201, acquire("two-down").statusCode());
        assertEquals(423, acquire("all-up").statusCode());
        compose.run("kill", "redis-3");
        HttpResponse<String> refused = acquire("three-down");
        assertEquals(503, refused.statusCode());
        assertTrue(refused.body().contains("/problems/no-quorum"), refused.body());
        assertEquals(503, get("/q/health/ready"));
        assertEquals(200, get("/q/health/live"));
        // In this order the engine gives the masters the addresses of each other.
        compose.run("start", "redis-3");
        compose.run("start", "redis-2");
        compose.run("start", "redis-1");
        awaitReady();
        assertEquals(201, acquire("all-back").statusCode());
        assertEquals(423, acquire("all-up").statusCode());
    }

    /** The limit and the options of deploy/kubernetes/sidecar.yaml. */
    @Test
    void sidecarServesPodWithin160Mebibytes() throws Exception {
        int port = FreePorts.find(1).get(0);
        String sidecar = compose.runSidecar(port, "160m", "JDK_JAVA_OPTIONS=@/app/sidecar.options");
        LockClient client = new LockClient(URI.create("http://127.0.0.1:" + port));
        Eventually.within(Duration.ofSeconds(60), () -> compose.docker("logs", sidecar), client::isReady);
        ExecutorService clients = Executors.newFixedThreadPool(28);
        try {
            List<Future<Set<Integer>>> answers = new ArrayList<>();
            for (int i = 0; i < 28; i++) {
                String lock = i < 8 ? "sidecar/own-" + i : "sidecar/shared";
                int cycles = i < 8 ? 300 : 30;
                answers.add(clients.submit(() -> cycles(client, lock, cycles)));
            }
            for (Future<Set<Integer>> statuses : answers) {
                assertEquals(
                        Set.of(201, 204), statuses.get(4, TimeUnit.MINUTES), () -> compose.docker("logs", sidecar));
            }
        } finally {
            clients.shutdownNow();
        }
        assertEquals(
                "true false",
                compose.docker("inspect", "-f", "{{.State.Running}} {{.State.OOMKilled}}", sidecar)
                        .strip());
    }

    private static Set<Integer> cycles(LockClient client, String lock, int count) {
        Set<Integer> statuses = new HashSet<>();
        for (int i = 0; i < count; i++) {
            LockClient.Answer acquired = acquire(client, lock);
            statuses.add(acquired.status());
            statuses.add(client.release(lock, acquired.token()).status());
        }
        return statuses;
    }

    /** On a busy machine, a turn may come later than one call waits. */
    private static LockClient.Answer acquire(LockClient client, String lock) {
        LockClient.Answer answer = client.acquire(lock, 60_000, 50_000);
        for (int attempt = 2; answer.status() == 423 && attempt <= 3; attempt++) {
            answer = client.acquire(lock, 60_000, 50_000);
        }
        return answer;
    }

    @Test
    void servesPageAndClients() {
        assertEquals(200, get("/"));
        assertEquals(200, get("/ui/app.mjs"));
        assertEquals(200, get("/clients/quorumlock"));
    }

    private static void awaitReady() {
        Eventually.within(Duration.ofSeconds(60), compose::logs, () -> get("/q/health/ready") == 200);
    }

    private static HttpResponse<String> acquire(String resource) {
        URI lock = SERVICE.resolve("/locks/" + resource + "?ttlMs=60000");
        return send(HttpRequest.newBuilder(lock).POST(HttpRequest.BodyPublishers.noBody()))
                .orElseThrow();
    }

    /** Returns the status, or 0 if the service does not listen yet. */
    private static int get(String path) {
        return send(HttpRequest.newBuilder(SERVICE.resolve(path)))
                .map(HttpResponse::statusCode)
                .orElse(0);
    }

    private static Optional<HttpResponse<String>> send(HttpRequest.Builder request) {
        try {
            return Optional.of(
                    CLIENT.send(request.timeout(Duration.ofSeconds(5)).build(), HttpResponse.BodyHandlers.ofString()));
        } catch (IOException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
