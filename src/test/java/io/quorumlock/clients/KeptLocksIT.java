// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.LocalService;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Locks that are kept after their release, in all languages. */
@Tag("nightly")
class KeptLocksIT {
    private static final int TTL_MS = 20_000;
    private static final int KEEP_MS = TTL_MS / 2;
    private static final int LONGEST_KEEP_MS = 60_000; // quorumlock.ttl.max
    private static final Duration LONGEST = Duration.ofSeconds(40);

    private static LocalService service;

    @BeforeAll
    static void start() {
        ClientKind.installed().forEach(ClientKind::build);
        service = LocalService.start();
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @Test
    void lockIsKeptForATimeAfterItsRelease() {
        Scenario.run("kept", (kind, lock) -> {
            try (ClientDriver driver = ClientDriver.of(kind, service.uri())) {
                assertTrue(driver.acquire(List.of(lock), TTL_MS, KEEP_MS).has("lease"));
                assertFalse(driver.release());
                JsonNode refused = driver.acquire(List.of(lock), TTL_MS, 0);
                assertEquals("held", refused.path("error").asText(), refused::toString);
                assertTrue(refused.path("kept").asBoolean(), refused::toString);
                String message = refused.path("message").asText();
                assertTrue(message.contains(lock + " was released and is kept for another "), message);
                long remaining = refused.path("remainingMs").asLong();
                assertTrue(remaining > 0 && remaining <= KEEP_MS, refused::toString);
                Eventually.within(
                        LONGEST,
                        "free",
                        () -> Scenario.inspect(service.client(), lock).status() == 404);
            }
        });
    }

    @Test
    void lockIsKeptForLongerThanItsTtl() {
        Scenario.run("kept-long", (kind, lock) -> {
            try (ClientDriver driver = ClientDriver.of(kind, service.uri())) {
                assertTrue(
                        driver.acquire(List.of(lock), TTL_MS, LONGEST_KEEP_MS).has("lease"));
                assertFalse(driver.release());
                JsonNode refused = driver.acquire(List.of(lock), TTL_MS, 0);
                assertTrue(refused.path("kept").asBoolean(), refused::toString);
                assertTrue(refused.path("remainingMs").asLong() > TTL_MS, refused::toString);
            }
        });
    }

    @Test
    void releaseWithTooLongKeepIsRefusedOnce() {
        Scenario.run("kept-too-long", (kind, lock) -> {
            try (FaultyProxy proxy = new FaultyProxy(service.uri());
                    ClientDriver driver = ClientDriver.of(kind, proxy.uri())) {
                assertTrue(driver.acquire(List.of(lock), TTL_MS, LONGEST_KEEP_MS + 1)
                        .has("lease"));
                driver.beginRelease();
                JsonNode refused = driver.answer(LONGEST);
                assertEquals("refused", refused.path("error").asText(), refused::toString);
                String message = refused.path("message").asText();
                assertTrue(message.contains("400") && message.contains("keepMs"), message);
                assertEquals(
                        1,
                        proxy.seen().stream()
                                .filter(seen -> seen.method().equals("DELETE"))
                                .count());
            }
        });
    }
}
