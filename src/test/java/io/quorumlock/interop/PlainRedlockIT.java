// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.LockClient;
import io.quorumlock.testing.LockClient.Answer;
import io.quorumlock.testing.Proves;
import io.quorumlock.testing.RedisServer;
import io.quorumlock.testing.RedisServers;
import io.quorumlock.testing.ServiceProcess;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Mutual exclusion between a client that uses only {@code SET NX PX} and the service, with an empty key prefix. */
@Proves("S1")
class PlainRedlockIT {
    private static List<RedisServer> masters;
    private static ServiceProcess service;
    private static LockClient client;

    @BeforeAll
    static void start() {
        masters = RedisServers.start(5);
        String nodes = masters.stream().map(master -> master.url().toString()).collect(Collectors.joining(","));
        service = ServiceProcess.startReady(Map.of("QUORUMLOCK_NODES", nodes, "QUORUMLOCK_LOCK_PREFIX", ""));
        client = service.client();
    }

    @AfterAll
    static void stop() {
        service.close();
        RedisServers.close(masters);
    }

    @Test
    void otherClientCannotAcquireLocksOfService() {
        Answer lease = client.acquire("ours", 60_000);
        awaitKeys("ours", 5);
        assertEquals(0, votesForOtherClient("ours", "stranger"));
        client.release("ours", lease.token());
        awaitKeys("ours", 0);
        assertEquals(5, votesForOtherClient("ours", "stranger"));
    }

    @Test
    void serviceNeitherGrantsNorDeletesLocksOfOtherClient() {
        assertEquals(5, votesForOtherClient("theirs", "stranger"));
        Answer held = client.acquire("theirs", 60_000);
        assertEquals(423, held.status());
        assertTrue(held.body().path("remainingMs").asLong() > 5_000, held.body()::toString);
        assertEquals(409, client.release("theirs", "a-token-of-nobody").status());
        JsonNode shown = client.get("/locks/theirs").body();
        assertEquals(0, shown.path("extensions").asInt(-1), shown::toString);
        assertFalse(shown.has("heldSince"), shown::toString);
        masters.forEach(master -> assertEquals("stranger", master.cli("GET", "theirs")));
    }

    /**
     * With an empty prefix, any key of another program could be addressed. Operators must not delete such data by
     * accident.
     */
    @Test
    void neitherListsNorBreaksKeysOfOtherPrograms() {
        assertEquals(5, votesForOtherClient("listed/theirs", "stranger"));
        masters.forEach(master -> master.cli("RPUSH", "listed/data", "x"));
        client.acquire("listed/ours", 60_000);
        Answer listing = client.get("/locks?prefix=listed");
        assertEquals(List.of("listed/ours"), listing.body().findValuesAsText("resource"));
        Answer forced = client.force("listed/theirs", "slip", "r1");
        assertEquals(409, forced.status());
        assertEquals("not-owner", forced.problem());
        masters.forEach(master -> assertEquals("stranger", master.cli("GET", "listed/theirs")));
    }

    /** The service answers when it has a majority, and the other masters may be later. */
    private static void awaitKeys(String key, int count) {
        Eventually.holds(
                key + " on " + count + " masters",
                () -> masters.stream()
                                .filter(master -> master.cli("EXISTS", key).equals("1"))
                                .count()
                        == count);
    }

    /** Acquires the key as the other client, and returns the number of masters that granted it. */
    private static long votesForOtherClient(String key, String value) {
        return masters.stream()
                .filter(master ->
                        master.cli("SET", key, value, "NX", "PX", "60000").equals("OK"))
                .count();
    }
}
