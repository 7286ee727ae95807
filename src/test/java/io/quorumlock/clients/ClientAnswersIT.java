// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.LocalService;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the clients do with lost answers and with answers that are not those of the service, in all languages. */
@Tag("nightly")
class ClientAnswersIT {
    private static final int TTL_MS = 24_000;
    private static final int LONGEST_TTL_MS = 60_000;
    private static final int WAIT_MS = 15_000; // for a service that is slow on a busy machine
    private static final Duration LOSS = Duration.ofSeconds(40);
    private static final Map<String, String> HTML = Map.of("Content-Type", "text/html");

    private static LocalService service;

    @BeforeAll
    static void start() {
        ClientKind.installed().forEach(ClientKind::build);
        service = LocalService.start();
        // The first requests are slow on a busy machine, and the clients do not wait for long.
        Eventually.holds("warm", () -> service.client().acquire("warm", 1_000).status() == 201);
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @Test
    void lostAnswerLosesNoLease() {
        Scenario.run("lost-answer", (kind, lock) -> {
            try (FaultyProxy proxy = new FaultyProxy(service.uri());
                    ClientDriver driver = ClientDriver.of(kind, proxy.uri())) {
                proxy.next("POST", FaultyProxy.lostAnswer());
                JsonNode lease = driver.lease(lock, TTL_MS);
                assertEquals(
                        Scenario.inspect(service.client(), lock).body().get("fencingToken"), lease.get("fencingToken"));
                proxy.next("DELETE", FaultyProxy.lostAnswer());
                assertFalse(driver.release());
                Scenario.assertFree(service.client(), lock);
            }
        });
    }

    @Test
    void lostAnswerLosesNoLeaseOfSeveralNames() {
        Scenario.run("lost-answers", (kind, lock) -> {
            List<String> names = List.of(lock + "/a", lock + "/b");
            try (FaultyProxy proxy = new FaultyProxy(service.uri());
                    ClientDriver driver = ClientDriver.of(kind, proxy.uri())) {
                proxy.next("POST", FaultyProxy.lostAnswer());
                assertTrue(driver.acquire(names, TTL_MS, 0).has("lease"));
                proxy.next("DELETE", FaultyProxy.lostAnswer());
                assertFalse(driver.release());
                names.forEach(name -> Scenario.assertFree(service.client(), name));
            }
        });
    }

    @Test
    void gatewayErrorsAreRepeatedAfterRetryAfter() {
        Scenario.run("retry-after", (kind, lock) -> {
            try (FaultyProxy proxy = new FaultyProxy(service.uri());
                    ClientDriver driver = ClientDriver.of(kind, proxy.uri())) {
                proxy.next("POST", FaultyProxy.answer(503, Map.of("Retry-After", "1"), ""));
                assertTrue(driver.acquire(lock, TTL_MS, 3_000).has("lease"));
                List<FaultyProxy.Seen> seen = proxy.seen();
                Duration pause = Duration.ofNanos(seen.get(1).at() - seen.get(0).at());
                assertTrue(pause.toMillis() >= 990, () -> "after " + pause);
                assertFalse(driver.release());
            }
        });
    }

    /** The HTTP server rejects the request before it has read it. */
    @Test
    void requestsThatAreTooLongAreRefused() {
        Scenario.run("too-long", (kind, lock) -> {
            try (ClientDriver driver = ClientDriver.of(kind, service.uri())) {
                ObjectNode owner = JsonNodeFactory.instance.objectNode().put("owner", "o".repeat(9_000));
                driver.beginAcquire(lock, TTL_MS, 0, owner);
                JsonNode refused = driver.answer(Eventually.LONGEST);
                assertEquals("refused", refused.path("error").asText(), refused::toString);
                assertEquals(414, refused.path("status").asInt(), refused::toString);
            }
        });
    }

    /** The limits behind 429 are those of each replica. */
    @Test
    void tooManyRequestsLeadToTheNextReplica() {
        Scenario.run("next-replica", (kind, lock) -> {
            try (FaultyProxy busy = new FaultyProxy(service.uri());
                    ClientDriver driver = ClientDriver.of(kind, busy.uri(), service.uri())) {
                busy.next("POST", FaultyProxy.answer(429, Map.of("Retry-After", "60"), ""));
                driver.lease(lock, TTL_MS);
                assertFalse(driver.release());
            }
        });
    }

    @Test
    void otherAnswersThanJsonAreRefusedAndNothingStaysLocked() {
        Scenario.run("html", (kind, lock) -> {
            try (FaultyProxy proxy = new FaultyProxy(service.uri());
                    ClientDriver driver = ClientDriver.of(kind, proxy.uri())) {
                proxy.next("POST", FaultyProxy.answer(200, HTML, "<html>Welcome</html>"));
                JsonNode refused = driver.acquire(lock, TTL_MS, 0);
                assertEquals("refused", refused.path("error").asText(), refused::toString);
                assertTrue(proxy.hasSeen("DELETE"));
            }
        });
    }

    /** A proxy, or a base URL with too much at its end, makes the path that of another lock. */
    @Test
    void leaseOfAnotherNameIsRefusedAndReleased() {
        Scenario.run("other-name", (kind, lock) -> {
            List<String> names = List.of(lock + "/a", lock + "/b");
            try (FaultyProxy proxy = new FaultyProxy(service.uri());
                    ClientDriver driver = ClientDriver.of(kind, proxy.uri())) {
                for (String method : List.of("POST", "DELETE")) { // enough of them for the 503 of a busy machine
                    proxy.next(
                            method,
                            Stream.generate(() -> FaultyProxy.otherTarget(
                                            target -> target.replaceAll("clients(/|%2F)", "other$1")))
                                    .limit(40)
                                    .toArray(FaultyProxy.Fault[]::new));
                }
                for (JsonNode refused : List.of(driver.acquire(lock, TTL_MS, 0), driver.acquire(names, TTL_MS, 0))) {
                    assertEquals("refused", refused.path("error").asText(), refused::toString);
                    String message = refused.path("message").asText();
                    assertTrue(message.contains("the lock of another name was granted: write the base URL"), message);
                }
                for (String name : List.of(lock, names.get(0), names.get(1))) {
                    Scenario.assertFree(service.client(), name);
                    Scenario.assertFree(service.client(), name.replace("clients/", "other/"));
                }
            }
        });
    }

    /** WebDAV servers answer 423, too. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "<html>Locked by bob</html>",
                "{\"error\": \"locked by bob\"}",
                "{\"type\": \"about:blank\", \"detail\": \"Locked by bob\"}",
                ""
            })
    void lockedOfAnotherServerIsRefused(String body) {
        Scenario.run("webdav", (kind, lock) -> {
            try (FaultyProxy proxy = new FaultyProxy(service.uri());
                    ClientDriver driver = ClientDriver.of(kind, proxy.uri())) {
                proxy.next("POST", FaultyProxy.answer(423, Map.of(), body));
                JsonNode refused = driver.acquire(lock, TTL_MS, 5_000);
                assertEquals("refused", refused.path("error").asText(), refused::toString);
                assertEquals(423, refused.path("status").asInt(), refused::toString);
                String message = refused.path("message").asText();
                assertTrue(message.contains("unexpected answer") && !message.contains("bob"), message);
                assertTrue(proxy.hasSeen("DELETE"));
            }
        });
    }

    /** The shell client adds hints to its messages. */
    @Test
    void messagesHaveTheSameWordsInAllLanguages() {
        Scenario.run("words", (kind, lock) -> {
            if (kind == ClientKind.SHELL) return;
            try (FaultyProxy proxy = new FaultyProxy(service.uri());
                    ClientDriver driver = ClientDriver.of(kind, proxy.uri())) {
                assertMessage("the last segment of a name must not be extend or fence", driver, lock + "/extend");
                proxy.next("POST", problem(400, "invalid-request"));
                assertMessage("refused: status 400, Because.", driver, lock);
                proxy.next("POST", problem(200, "not-a-lease"));
                assertMessage("refused: status 200, Because.", driver, lock);
                proxy.next("POST", FaultyProxy.answer(404, HTML, "<html>Not here</html>"));
                assertMessage("refused: status 404, an unexpected answer", driver, lock);
                proxy.next("PUT", problem(404, "not-held"));
                assertTrue(driver.acquire(lock, TTL_MS / 4, WAIT_MS).has("lease"));
                assertEquals(
                        "the service did not extend it: status 404, Because.",
                        driver.loss(LOSS).reason());
                assertTrue(driver.release());
                proxy.next(
                        "POST",
                        Stream.generate(() -> problem(503, "no-quorum"))
                                .limit(500)
                                .toArray(FaultyProxy.Fault[]::new));
                assertMessage("unavailable: status 503, Because.", driver, lock);
            }
        });
    }

    /** The name of the lock, or that of the client, may be before the message. */
    private static void assertMessage(String expected, ClientDriver driver, String lock) {
        JsonNode failed = driver.acquire(lock, TTL_MS, 0);
        String message = failed.path("message").asText();
        assertTrue(message.equals(expected) || message.endsWith(": " + expected), failed::toString);
    }

    private static FaultyProxy.Fault problem(int status, String type) {
        return FaultyProxy.answer(
                status, Map.of(), "{\"type\":\"/problems/%s\",\"detail\":\"Because.\"}".formatted(type));
    }

    @Test
    void nothingStaysLockedAfterLostAnswers() {
        Scenario.run("unavailable", (kind, lock) -> {
            List<String> names = List.of(lock + "/a", lock + "/b");
            try (FaultyProxy proxy = new FaultyProxy(service.uri());
                    ClientDriver driver = ClientDriver.of(kind, proxy.uri())) {
                proxy.next(
                        "POST",
                        Stream.generate(FaultyProxy::lostAnswer).limit(500).toArray(FaultyProxy.Fault[]::new));
                JsonNode failed = driver.acquire(lock, TTL_MS, 0);
                assertEquals("unavailable", failed.path("error").asText(), failed::toString);
                Scenario.assertFree(service.client(), lock);
                failed = driver.acquire(names, TTL_MS, TTL_MS / 2);
                assertEquals("unavailable", failed.path("error").asText(), failed::toString);
                names.forEach(name -> Scenario.assertFree(service.client(), name));
            }
        });
    }

    @Test
    void lostLeaseIsReleasedAndNotKept() {
        Scenario.run("lost-not-kept", (kind, lock) -> {
            try (FaultyProxy proxy = new FaultyProxy(service.uri());
                    ClientDriver driver = ClientDriver.of(kind, proxy.uri())) {
                proxy.next("PUT", exhausted());
                JsonNode lease = driver.acquire(List.of(lock), TTL_MS, TTL_MS / 2);
                assertTrue(lease.has("lease"), lease::toString);
                driver.loss(LOSS);
                assertTrue(driver.release());
                Eventually.holds("a release", () -> proxy.hasSeen("DELETE"));
                assertTrue(proxy.seen().stream()
                        .noneMatch(request -> request.path().contains("keepMs")));
            }
        });
    }

    /** The service still has a lease without extensions. */
    @Test
    void restOfLeaseIsUsedWithoutExtensions() {
        Scenario.run("exhausted", (kind, lock) -> {
            try (FaultyProxy proxy = new FaultyProxy(service.uri());
                    ClientDriver driver = ClientDriver.of(kind, proxy.uri())) {
                // A busy machine may need more than one try. An extension after that would hide the reason.
                proxy.next("PUT", Arrays.copyOf(exhausted(), 3));
                proxy.next(
                        "PUT",
                        Stream.generate(FaultyProxy::lostAnswer).limit(500).toArray(FaultyProxy.Fault[]::new));
                assertTrue(driver.acquire(lock, TTL_MS, WAIT_MS).has("lease"));
                Eventually.within(LOSS, "an extension", () -> proxy.hasSeen("PUT"));
                assertTrue(driver.held());
                String reason = driver.loss(LOSS).reason();
                assertTrue(reason.contains("it was not extended in time: status 422, This is the maximum."), reason);
                assertTrue(driver.release());
            }
        });
    }

    private static FaultyProxy.Fault[] exhausted() {
        String problem = "{\"type\":\"/problems/extensions-exhausted\",\"detail\":\"This is the maximum.\"}";
        return Stream.generate(() -> FaultyProxy.answer(422, Map.of(), problem))
                .limit(500)
                .toArray(FaultyProxy.Fault[]::new);
    }

    @Test
    void releaseOfLostLeaseDoesNotDelayTheCaller() {
        Scenario.run("lost", (kind, lock) -> {
            CountDownLatch released = new CountDownLatch(1);
            try (FaultyProxy proxy = new FaultyProxy(service.uri());
                    ClientDriver driver = ClientDriver.of(kind, proxy.uri())) {
                proxy.next("PUT", exhausted());
                proxy.next(
                        "DELETE",
                        Stream.generate(() -> FaultyProxy.heldAnswer(released))
                                .limit(100)
                                .toArray(FaultyProxy.Fault[]::new));
                ObjectNode margin = JsonNodeFactory.instance.objectNode().put("marginMs", LONGEST_TTL_MS / 2);
                driver.beginAcquire(lock, LONGEST_TTL_MS, WAIT_MS, margin);
                assertTrue(driver.answer(Eventually.LONGEST).has("lease"));
                ClientDriver.Loss loss = driver.loss(LOSS);
                assertTrue(driver.release());
                Eventually.holds("a release", () -> proxy.hasSeen("DELETE"));
                assertEquals(0, driver.end());
                Duration took = Duration.ofNanos(System.nanoTime() - loss.at());
                // The lease ends 30 seconds after its loss.
                assertTrue(took.toSeconds() < 9, () -> "after " + took);
            } finally {
                released.countDown();
            }
        });
    }
}
