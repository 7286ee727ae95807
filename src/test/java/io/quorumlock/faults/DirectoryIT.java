// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.LockClient;
import io.quorumlock.testing.LockClient.Answer;
import io.quorumlock.testing.RedisServer;
import io.quorumlock.testing.ServiceProcess;
import io.quorumlock.testing.SharedFleet;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Listings and forced releases by two replicas on real masters, some of which are down. */
@ResourceLock(SharedFleet.NAME)
@Tag("nightly")
class DirectoryIT {
    private static final int TTL_MS = 60_000;

    private final List<RedisServer> masters = SharedFleet.MASTERS;
    private final ServiceProcess one = SharedFleet.ONE;
    private final ServiceProcess two = SharedFleet.TWO;

    @AfterEach
    void awaitAllMasters() {
        SharedFleet.awaitAllMasters();
    }

    @Test
    void pagesOfDifferentReplicasListEveryLockOnce() {
        List<String> names = IntStream.range(0, 300)
                .mapToObj("pages/%03d/[*]?"::formatted)
                .sorted()
                .toList();
        names.forEach(name -> assertEquals(
                201, acquire(one, name.replace("[*]?", "%5B*%5D%3F")).status()));
        assertEquals(names, follow("/locks?prefix=pages/&limit=37"));
        assertEquals(List.of(names.get(42)), follow("/locks?prefix=pages/042/%5B*%5D%3F"));
        assertEquals(List.of(), follow("/locks?prefix=pages/*"));
    }

    @Test
    void listsAndBreaksLocksWithoutMinority() {
        String token = acquire(one, "minority/a").token();
        masters.get(0).kill();
        masters.get(1).suspend();
        try {
            JsonNode lock = locks(one, "minority").get(0);
            assertEquals("minority/a", lock.get("resource").asText());
            assertEquals(3, lock.at("/votes/granted").asInt());
            assertFalse(lock.get("partial").asBoolean());
            assertEquals(204, one.client().force("minority/a", "gone", "r1").status());
            assertEquals(404, two.client().extend("minority/a", token).status());
        } finally {
            masters.get(0).start();
            masters.get(1).resume();
        }
    }

    @Test
    void neitherListsNorBreaksLocksWithoutMajority() {
        String token = acquire(one, "majority/a").token();
        masters.subList(0, 3).forEach(RedisServer::suspend);
        try {
            assertEquals("no-quorum", one.client().get("/locks").problem());
            Answer forced = one.client().force("majority/a", "gone", "r2");
            assertEquals("no-quorum", forced.problem());
            assertEquals("none", forced.body().get("outcome").asText());
        } finally {
            masters.subList(0, 3).forEach(RedisServer::resume);
        }
        SharedFleet.awaitAllMasters();
        assertEquals(200, one.client().extend("majority/a", token).status());
    }

    @Test
    void listsAndBreaksPartialLocks() {
        String value = "token-of-client-A a1 0 1800000000000000 60000 worker 9";
        masters.subList(0, 2).forEach(master -> master.cli("SET", "lock:left/over", value, "PX", "60000"));
        JsonNode lock = locks(two, "left").get(0);
        assertTrue(lock.get("partial").asBoolean());
        assertEquals("worker 9", lock.get("owner").asText());
        assertEquals(404, one.client().get("/locks/left/over").status());
        assertEquals(204, one.client().force("left/over", "left+over", "r3").status());
        // The answer needs a majority, and the other masters may be later.
        Eventually.holds("deleted", () -> masters.stream()
                .allMatch(master -> master.cli("EXISTS", "lock:left/over").equals("0")));
    }

    @Test
    void logsAndCountsForcedReleases() {
        String token = acquire(one, "broken/a").token();
        assertEquals(
                204,
                two.client().force("broken/a", "pager%20%22duty%22", "req-4711").status());
        assertEquals(404, one.client().extend("broken/a", token).status());
        assertEquals(404, one.client().release("broken/a", token).status());
        assertEquals(201, acquire(one, "broken/a").status());
        String line = "forced release status=204 resource=\"broken/a\" reason=\"pager \\\"duty\\\"\""
                + " client=\"127.0.0.1\" request_id=\"req-4711\"";
        Eventually.holds(two::output, () -> two.output().contains(line));
        assertFalse((one.output() + two.output()).contains(token), "a token is in the log");
        String metrics = two.client().get("/q/metrics").response().body();
        assertTrue(metrics.contains("quorumlock_force_releases_total{outcome=\"broken\"} 1.0"), metrics);
    }

    private static Answer acquire(ServiceProcess replica, String resource) {
        return replica.client().acquire(resource, TTL_MS);
    }

    private static JsonNode locks(ServiceProcess replica, String prefix) {
        Answer answer = replica.client().get("/locks?prefix=" + prefix);
        assertEquals(200, answer.status(), answer.body()::toString);
        return answer.body().get("locks");
    }

    private List<String> follow(String path) {
        List<String> names = new ArrayList<>();
        String next = path;
        for (int page = 0; !next.isEmpty(); page++) {
            LockClient replica = (page % 2 == 0 ? one : two).client();
            Answer answer = replica.get(next);
            assertEquals(200, answer.status(), answer.body()::toString);
            JsonNode body = answer.body();
            names.addAll(body.get("locks").findValuesAsText("resource"));
            next = body.has("after") ? path + "&after=" + body.get("after").asText() : "";
        }
        return names;
    }
}
