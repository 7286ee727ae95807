// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.ServiceProcess;
import io.quorumlock.testing.TestStore;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The clients in all languages on each store. */
@Tag("tools")
class ClientsOnStoresIT {
    private static final int TTL_MS = 20_000;
    private static final int KEEP_MS = 60_000;
    private static final Duration ANSWER = Duration.ofSeconds(40);

    @BeforeAll
    static void build() {
        ClientKind.installed().forEach(ClientKind::build);
    }

    @ParameterizedTest
    @EnumSource
    void clientsShareLocks(TestStore store) {
        try (ServiceProcess service = ServiceProcess.startReady(store.settings())) {
            Scenario.run("store", (kind, lock) -> {
                try (ClientDriver holder = ClientDriver.of(kind, service.uri());
                        ClientDriver other = ClientDriver.of(kind, service.uri())) {
                    handOver(service, lock, holder, other);
                    keepSeveral(lock, holder, other);
                    shareIndex(service, lock + "/index", holder, other);
                    shareSlots(service, lock + "/slots", holder, other);
                }
            });
        }
    }

    private static void handOver(ServiceProcess service, String lock, ClientDriver holder, ClientDriver waiter) {
        JsonNode lease = holder.lease(lock, TTL_MS);
        JsonNode refused = waiter.acquire(lock, TTL_MS, 0);
        assertEquals("held", refused.path("error").asText(), refused::toString);
        Eventually.within(ANSWER, "extended", () -> extensions(service, lock) > 0);
        assertTrue(holder.held());
        waiter.beginAcquire(lock, TTL_MS, 30_000);
        assertFalse(holder.release());
        JsonNode next = waiter.answer(ANSWER);
        assertTrue(
                next.path("fencingToken").asLong() > lease.path("fencingToken").asLong(), next::toString);
        assertFalse(waiter.release());
        Scenario.assertFree(service.client(), lock);
    }

    private static void keepSeveral(String lock, ClientDriver holder, ClientDriver other) {
        List<String> names = List.of(lock + "/a", lock + "/b");
        assertLease(holder.acquire(names, 2 * KEEP_MS, KEEP_MS));
        assertFalse(holder.release());
        JsonNode refused = other.acquire(names.get(1), TTL_MS, 0);
        assertTrue(refused.path("kept").asBoolean(), refused::toString);
    }

    private static void shareIndex(ServiceProcess service, String lock, ClientDriver reader, ClientDriver other) {
        assertLease(reader.acquireShared(lock, TTL_MS));
        JsonNode refused = other.acquire(lock, TTL_MS, 0);
        assertEquals("held", refused.path("error").asText(), refused::toString);
        assertLease(other.acquireShared(lock, TTL_MS));
        assertFalse(reader.release());
        assertTrue(other.held());
        assertFalse(other.release());
        Scenario.assertFree(service.client(), lock);
    }

    private static void shareSlots(ServiceProcess service, String lock, ClientDriver one, ClientDriver two) {
        JsonNode first = assertLease(one.acquireSlot(lock, 2, TTL_MS));
        JsonNode second = assertLease(two.acquireSlot(lock, 2, TTL_MS));
        assertEquals(1, first.get("slot").asInt() + second.get("slot").asInt());
        assertFalse(one.release());
        JsonNode wrong = one.acquireSlot(lock, 3, TTL_MS);
        assertEquals(409, wrong.path("status").asInt(), wrong::toString);
        assertFalse(two.release());
        Scenario.assertFree(service.client(), lock);
    }

    private static JsonNode assertLease(JsonNode lease) {
        assertTrue(lease.has("fencingToken"), lease::toString);
        return lease;
    }

    private static int extensions(ServiceProcess service, String lock) {
        return Scenario.inspect(service.client(), lock)
                .body()
                .path("extensions")
                .asInt();
    }
}
