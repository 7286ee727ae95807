// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.KeysText;
import io.quorumlock.testing.LockClient;
import io.quorumlock.testing.RedisServer;
import io.quorumlock.testing.RedisServers;
import io.quorumlock.testing.ServiceProcess;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the clients do with every answer of the service, in all languages. */
@Tag("nightly")
class ClientsIT {
    private static final int TTL_MS = 20_000;
    private static final String READER = "reader-" + "r".repeat(40);

    private static List<RedisServer> masters;
    private static ServiceProcess open;
    private static ServiceProcess secured;

    @TempDir
    static Path folder;

    @BeforeAll
    static void start() throws IOException {
        ClientKind.installed().forEach(ClientKind::build);
        masters = RedisServers.start(5);
        open = ServiceProcess.on(masters);
        Path file = folder.resolve("keys.json");
        List<String> keys = new ArrayList<>();
        keys.add(KeysText.key("alice", KeysText.ALICE, ":acquire extend release read"));
        keys.add(KeysText.key("reader", READER, ":read"));
        for (ClientKind kind : ClientKind.values()) {
            String quota = "{\"requestsPerSecond\": 1}";
            keys.add(KeysText.limited("slow-" + kind.ordinal(), slowKey(kind), quota, ":acquire extend release read"));
        }
        Files.writeString(file, KeysText.file(keys.toArray(String[]::new)));
        secured = ServiceProcess.startReady(Map.of(
                "QUORUMLOCK_NODES",
                masters.stream().map(master -> master.url().toString()).collect(Collectors.joining(",")),
                "QUORUMLOCK_SECURITY_KEYS_FILE",
                file.toString()));
    }

    private static String slowKey(ClientKind kind) {
        return "slow-" + kind + "-" + "s".repeat(40);
    }

    @AfterAll
    static void stop() {
        open.close();
        secured.close();
        RedisServers.close(masters);
    }

    /** Reports the languages that were left out. */
    @ParameterizedTest
    @EnumSource
    void isInstalled(ClientKind kind) {
        assumeTrue(kind.isInstalled(), () -> "client left out, not installed: " + kind);
    }

    @Test
    void acquireAndRelease() {
        Scenario.run("granted", (kind, lock) -> {
            try (ClientDriver driver = ClientDriver.of(kind, open.uri())) {
                JsonNode lease = driver.lease(lock, TTL_MS);
                JsonNode inspected = inspect(lock).body();
                assertEquals(inspected.get("fencingToken"), lease.get("fencingToken"));
                assertEquals(kind.name(), inspected.get("owner").asText());
                assertTrue(driver.held());
                JsonNode text = driver.text();
                String expected = "Lease of " + lock + ", fencing token " + lease.get("fencingToken") + ", held";
                assertTrue(text.isMissingNode() || text.asText().contains(expected), text::asText);
                assertFalse(driver.release());
                assertFalse(driver.held());
                Scenario.assertFree(open.client(), lock);
            }
        });
    }

    @Test
    void endOfProgramReleases() {
        Scenario.run("end", (kind, lock) -> {
            try (ClientDriver driver = ClientDriver.of(kind, open.uri())) {
                driver.lease(lock, TTL_MS);
                assertEquals(0, driver.end());
                Scenario.assertFree(open.client(), lock);
            }
        });
    }

    @Test
    void heldLockIsReportedWithOwner() {
        Scenario.run("held", (kind, lock) -> {
            String token = hold(lock + "?owner=other");
            try (ClientDriver driver = ClientDriver.of(kind, open.uri())) {
                JsonNode refused = driver.acquire(lock, TTL_MS, 0);
                assertEquals("held", refused.path("error").asText(), refused::toString);
                assertEquals("other", refused.path("owner").asText());
                String remaining = refused.path("remainingMs").asText();
                String text = lock + " is held by other for another " + remaining + " ms";
                assertTrue(refused.path("message").asText().endsWith(text), refused::toString);
                assertFalse(driver.held());
            }
            assertEquals(204, open.client().release(lock, token).status());
        });
    }

    @Test
    void processIsToldThatItHoldsTheLockItself() {
        Scenario.run("own", (kind, lock) -> {
            if (kind == ClientKind.SHELL) return; // its driver has a process for each lease
            try (ClientDriver driver = ClientDriver.of(kind, open.uri());
                    ClientDriver other = ClientDriver.of(kind, open.uri())) {
                driver.lease(lock, TTL_MS);
                String own = "; this process holds it itself: locks are not re-entrant";
                String message = driver.acquire(lock, TTL_MS, 0).path("message").asText();
                assertTrue(message.endsWith(own), message);
                String ofOther = other.acquire(lock, TTL_MS, 0).path("message").asText();
                assertTrue(ofOther.endsWith(" ms"), ofOther);
            }
        });
    }

    @Test
    void waiterGetsReleasedLock() {
        Scenario.run("wait", (kind, lock) -> {
            String token = hold(lock);
            try (FaultyProxy proxy = new FaultyProxy(open.uri());
                    ClientDriver driver = ClientDriver.of(kind, proxy.uri())) {
                driver.beginAcquire(lock, TTL_MS, 15_000);
                Eventually.holds("a request", () -> !proxy.seen().isEmpty());
                assertEquals(204, open.client().release(lock, token).status());
                assertLease(driver.answer(Eventually.LONGEST));
                assertFalse(driver.release());
            }
        });
    }

    /** The wait is longer than the service allows for one request, and a replica answers 423 in between. */
    @Test
    void waiterGivesUpInTime() {
        Scenario.run("wait-ends", (kind, lock) -> {
            hold(lock);
            try (ClientDriver driver = ClientDriver.of(kind, open.uri())) {
                long begin = System.nanoTime();
                JsonNode refused = driver.acquire(lock, TTL_MS, 11_500);
                Duration took = Duration.ofNanos(System.nanoTime() - begin);
                assertEquals("held", refused.path("error").asText(), refused::toString);
                assertTrue(took.toMillis() >= 11_400, () -> "after " + took);
            }
        });
    }

    @Test
    void wrongKeyIsRefused() {
        Scenario.run("unauthorized", (kind, lock) -> assertRefused(401, acquireWithKey(kind, lock, "x".repeat(40))));
    }

    @Test
    void missingRightIsRefused() {
        Scenario.run("forbidden", (kind, lock) -> assertRefused(403, acquireWithKey(kind, lock, READER)));
    }

    @Test
    void rightKeyIsAccepted() {
        Scenario.run("authorized", (kind, lock) -> assertLease(acquireWithKey(kind, lock, KeysText.ALICE)));
    }

    /** The quota allows one request a second. */
    @Test
    void requestsOverTheQuotaAreRepeatedLater() {
        Scenario.run("quota", (kind, lock) -> {
            for (int i = 0; i < 2; i++) {
                assertLease(acquireWithKey(kind, lock + i, slowKey(kind)));
            }
        });
    }

    @Test
    void invalidInputIsRefused() {
        Scenario.run("invalid", (kind, lock) -> {
            try (ClientDriver driver = ClientDriver.of(kind, open.uri())) {
                assertRefused(400, driver.acquire(lock, 60_001, 0));
                assertRefused(400, driver.acquire(lock + "x".repeat(513 - lock.length()), TTL_MS, 0));
                for (String path : List.of("", "a//b", "a/../b", ".", "/a")) {
                    assertRefused(0, driver.acquire(path, TTL_MS, 0));
                }
                assertRefused(0, driver.acquire(List.of(lock, "a//b"), TTL_MS, 0));
                driver.lease(lock, TTL_MS);
            }
        });
    }

    @Test
    void urlWithCredentialsIsRefused() {
        Scenario.run("credentials", (kind, lock) -> {
            URI url = URI.create("http://alice:secret@127.0.0.1:" + open.uri().getPort());
            try (ClientDriver driver = ClientDriver.of(kind, url)) {
                JsonNode refused = driver.acquire(lock, TTL_MS, 0);
                assertRefused(0, refused);
                assertFalse(refused.toString().contains("secret"), refused::toString);
            }
        });
    }

    @Test
    void nastyNamesAndOwnersWork() {
        List<String> names = List.of(
                "a b",
                "50%",
                "what?x=1&y#z",
                "\"quoted\" 'name' \\ back",
                "<img src=x onerror=alert(1)>",
                "emoji 🔒/ünï",
                "-rf",
                "$(touch /tmp/x)`id`",
                "a+b;c=d,e@f:g",
                "x".repeat(400));
        Scenario.run("names", (kind, lock) -> {
            try (ClientDriver driver = ClientDriver.of(kind, open.uri())) {
                for (String name : names) {
                    String full = lock + "/" + name;
                    JsonNode lease = driver.lease(full, TTL_MS);
                    JsonNode inspected = inspect(encode(full)).body();
                    assertEquals(inspected.get("fencingToken"), lease.get("fencingToken"));
                    assertFalse(driver.release());
                }
            }
        });
    }

    /** Acquires the lock. Masters of a busy test machine may be too slow at first. */
    private static String hold(String lock) {
        AtomicReference<LockClient.Answer> answer = new AtomicReference<>();
        Eventually.holds(() -> "not acquired: " + answer.get(), () -> {
            answer.set(open.client().acquire(lock, TTL_MS));
            return answer.get().status() == 201;
        });
        return answer.get().token();
    }

    private JsonNode acquireWithKey(ClientKind kind, String lock, String key) {
        Map<String, String> settings = Map.of("QUORUMLOCK_URL", secured.uri().toString(), "QUORUMLOCK_KEY", key);
        try (ClientDriver driver = new ClientDriver(kind, settings)) {
            JsonNode answer = driver.acquire(lock, TTL_MS, 5_000);
            if (answer.has("lease")) {
                assertFalse(driver.release());
            }
            return answer;
        }
    }

    private static String encode(String name) {
        return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static LockClient.Answer inspect(String lock) {
        return Scenario.inspect(open.client(), lock);
    }

    private static JsonNode assertLease(JsonNode answer) {
        assertTrue(answer.has("lease"), answer::toString);
        return answer;
    }

    private static void assertRefused(int status, JsonNode answer) {
        assertEquals("refused", answer.path("error").asText(), answer::toString);
        assertEquals(status, answer.path("status").asInt(), answer::toString);
    }
}
