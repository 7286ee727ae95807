// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.quorumlock.documentation.Shell;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.LocalService;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Leases of several names, shared locks and semaphores, in all languages. */
@Tag("nightly")
class KindsOfLocksIT {
    private static final int TTL_MS = 20_000;
    private static final int KEEP_MS = TTL_MS / 2;
    private static final Duration LONGEST = Duration.ofSeconds(40);

    private static LocalService service;

    @TempDir
    Path folder;

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
    void severalNamesAreAcquiredTogetherOrNotAtAll() {
        Scenario.run("several", (kind, lock) -> {
            String a = lock + "/a&b=c+d";
            String b = lock + "/50%?#ü";
            String c = lock + "/c";
            try (ClientDriver holder = ClientDriver.of(kind, service.uri());
                    ClientDriver other = ClientDriver.of(kind, service.uri())) {
                JsonNode lease = assertLease(holder.acquire(List.of(a, b), TTL_MS, 0));
                assertEquals(inspect(a).get("fencingToken"), lease.get("fencingToken"));
                assertEquals(inspect(b).get("fencingToken"), lease.get("fencingToken"));

                JsonNode refused = other.acquire(List.of(b, c), TTL_MS, 0);
                assertEquals("held", refused.path("error").asText(), refused::toString);
                assertEquals(1, refused.path("names").size(), refused::toString);
                assertEquals(b, refused.path("names").path(0).asText());
                assertFree(c);

                assertFalse(holder.release());
                assertFree(a);
                assertFree(b);
                assertLease(other.acquire(List.of(b, c), TTL_MS, 0));
                assertFalse(other.release());
            }
        });
    }

    @Test
    void leaseIsExtendedAndLostWithOneOfItsNames() {
        Scenario.run("one-lost", (kind, lock) -> {
            String a = lock + "/a";
            String b = lock + "/b";
            try (ClientDriver driver = ClientDriver.of(kind, service.uri())) {
                assertLease(driver.acquire(List.of(a, b), TTL_MS, 0));
                for (String name : List.of(a, b)) {
                    Eventually.within(
                            LONGEST,
                            () -> "not extended: " + inspect(name),
                            () -> inspect(name).path("extensions").asInt() > 0);
                }
                assertTrue(driver.held());
                Scenario.force(service.client(), b);
                driver.loss(LONGEST);
                assertFalse(driver.held());
                assertTrue(driver.release());
                Eventually.within(LONGEST, "free", () -> isFree(a));
            }
        });
    }

    @Test
    void severalNamesAreKeptTogether() {
        Scenario.run("several-kept", (kind, lock) -> {
            List<String> names = List.of(lock + "/a", lock + "/b");
            try (ClientDriver driver = ClientDriver.of(kind, service.uri())) {
                assertLease(driver.acquire(names, TTL_MS, KEEP_MS));
                assertFalse(driver.release());
                for (String name : names) {
                    assertTrue(inspect(name).path("kept").asBoolean(), name);
                }
                names.forEach(name -> Eventually.within(LONGEST, "free", () -> isFree(name)));
            }
        });
    }

    @Test
    void readersShareALockThatAWriterHoldsAlone() {
        Scenario.run("shared", (kind, lock) -> {
            try (ClientDriver reader = ClientDriver.of(kind, service.uri());
                    ClientDriver other = ClientDriver.of(kind, service.uri())) {
                assertLease(reader.acquireShared(lock, TTL_MS));
                assertEquals(
                        "held", other.acquire(lock, TTL_MS, 0).path("error").asText());
                assertLease(other.acquireShared(lock, TTL_MS));
                assertEquals(2, inspect(lock).path("holderCount").asInt());
                assertFalse(reader.release());
                assertFalse(other.release());
                assertLease(other.acquire(lock, TTL_MS, 0));
                assertEquals(
                        "held", reader.acquireShared(lock, TTL_MS).path("error").asText());
            }
        });
    }

    @Test
    void semaphoreHasAsManyHoldersAsSlots() {
        Scenario.run("slots", (kind, lock) -> {
            try (ClientDriver one = ClientDriver.of(kind, service.uri());
                    ClientDriver two = ClientDriver.of(kind, service.uri());
                    ClientDriver three = ClientDriver.of(kind, service.uri())) {
                JsonNode first = assertLease(one.acquireSlot(lock, 2, TTL_MS));
                JsonNode second = assertLease(two.acquireSlot(lock, 2, TTL_MS));
                List<Integer> slots = Stream.of(first, second)
                        .map(lease -> lease.path("slot").asInt(-1))
                        .sorted()
                        .toList();
                assertEquals(List.of(0, 1), slots);
                assertEquals(
                        "held", three.acquireSlot(lock, 2, TTL_MS).path("error").asText());
                JsonNode wrong = three.acquireSlot(lock, 3, TTL_MS);
                assertEquals(409, wrong.path("status").asInt(), wrong::toString);
                assertFalse(one.release());
                assertEquals(
                        first.get("slot"),
                        assertLease(three.acquireSlot(lock, 2, TTL_MS)).get("slot"));
            }
        });
    }

    /** Another number of slots is in force only until its holders have released. */
    @Test
    void waiterGetsSemaphoreWhoseNumberOfSlotsChanges() {
        Scenario.run("other-slots", (kind, lock) -> {
            String token = service.client().acquire(lock + "?slots=2", TTL_MS).token();
            try (FaultyProxy proxy = new FaultyProxy(service.uri());
                    ClientDriver driver = ClientDriver.of(kind, proxy.uri())) {
                driver.beginAcquire(
                        lock,
                        TTL_MS,
                        15_000,
                        JsonNodeFactory.instance.objectNode().put("slots", 3));
                Eventually.within(LONGEST, "tried again", () -> proxy.seen().size() > 1);
                assertEquals(204, service.client().release(lock, token).status());
                assertLease(driver.answer(LONGEST));
                assertFalse(driver.release());
            }
        });
    }

    /** The service would name a parameter that is not an option of the client. */
    @Test
    void clientRejectsSlotsOfSharedLock() {
        Scenario.run("shared-slots", (kind, lock) -> {
            try (ClientDriver driver = ClientDriver.of(kind, service.uri())) {
                JsonNode refused = driver.acquireSharedSlot(lock, 2, TTL_MS);
                assertEquals("refused", refused.path("error").asText(), refused::toString);
                assertEquals(0, refused.path("status").asInt(-1), refused::toString);
            }
        });
    }

    @Test
    void leaseKeepsItsSlotOverExtensions() {
        Scenario.run("slot-kept", (kind, lock) -> {
            try (ClientDriver driver = ClientDriver.of(kind, service.uri())) {
                JsonNode slot =
                        assertLease(driver.acquireSlot(lock, 64, TTL_MS)).get("slot");
                assertTrue(slot.isInt(), slot::toString);
                Eventually.within(
                        LONGEST,
                        () -> "not extended: " + inspect(lock),
                        () -> inspect(lock).path("extensions").asInt() > 0);
                assertEquals(slot, driver.slot());
            }
        });
    }

    @Test
    void otherKindsOfLocksHaveNoSlot() {
        Scenario.run("no-slot", (kind, lock) -> {
            try (ClientDriver driver = ClientDriver.of(kind, service.uri())) {
                assertTrue(driver.lease(lock, TTL_MS).path("slot").isNull());
                assertFalse(driver.release());
                assertTrue(assertLease(driver.acquireShared(lock, TTL_MS))
                        .path("slot")
                        .isNull());
            }
        });
    }

    /** The commands of the shell client that are not {@code run}. */
    @Test
    void shellCommandsTakeSeveralNames() throws IOException {
        assumeTrue(ShellClient.isInstalled(), "curl is not installed");
        ShellClient client = new ShellClient(folder, service.uri());
        Shell.Result acquired = client.run("acquire", "commands/a", "commands/b");
        assertEquals(0, acquired.status(), acquired::output);
        JsonNode lease = new ObjectMapper().readTree(acquired.output());
        String token = Files.writeString(
                        folder.resolve("token"), lease.path("token").asText())
                .toString();

        Shell.Result extended = client.run("extend", "--token-file", token, "commands/a", "commands/b");
        assertEquals(0, extended.status(), extended::output);
        assertEquals(1, inspect("commands/b").path("extensions").asInt());
        assertEquals(
                ShellClient.LOST,
                client.run("release", "--token-file", token, "commands/a", "commands/c")
                        .status());
        Shell.Result released =
                client.run("release", "--token-file", token, "--keep", "10s", "commands/a", "commands/b");
        assertEquals(new Shell.Result(0, ""), released);
        assertTrue(inspect("commands/a").path("kept").asBoolean());
        assertTrue(inspect("commands/b").path("kept").asBoolean());
    }

    private static JsonNode inspect(String name) {
        return Scenario.inspect(service.client(), encode(name)).body();
    }

    private static void assertFree(String name) {
        Scenario.assertFree(service.client(), encode(name));
    }

    private static boolean isFree(String name) {
        return Scenario.inspect(service.client(), encode(name)).status() == 404;
    }

    private static String encode(String name) {
        return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static JsonNode assertLease(JsonNode answer) {
        assertTrue(answer.has("lease"), answer::toString);
        return answer;
    }
}
