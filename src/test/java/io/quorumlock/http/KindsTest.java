// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import io.quorumlock.testing.Proves;
import io.restassured.RestAssured;
import io.restassured.response.Response;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Shared locks and semaphores over HTTP. */
@QuarkusTest
@Proves("C")
class KindsTest {

    @Test
    void inspectionAndListTellKindAndHolders() {
        String first = acquire("kinds/shared?mode=shared&owner=ann").path("token");
        String second = acquire("kinds/shared?mode=shared&owner=bob").path("token");
        assertEquals(423, post("kinds/shared").statusCode());
        Response inspection = RestAssured.get("/locks/kinds/shared");
        assertEquals("shared", inspection.path("mode"));
        assertEquals(2, inspection.<Integer>path("holderCount"));
        assertEquals(List.of("ann", "bob"), sorted(inspection, "holders.owner"));
        assertEquals(inspection.<Long>path("holders[0].fencingToken"), inspection.<Long>path("fencingToken"));
        assertTrue(inspection.<Integer>path("holders[1].remainingMs") > 0);
        assertFalse(inspection.asString().contains(first));
        Response listing = RestAssured.get("/locks?prefix=kinds/shared");
        assertEquals("shared", listing.path("locks[0].mode"));
        assertEquals(2, listing.<Integer>path("locks[0].holderCount"));
        assertEquals(List.of("ann", "bob"), sorted(listing, "locks[0].holders.owner"));
        release("kinds/shared", first);
        release("kinds/shared", second);
        assertEquals(404, RestAssured.get("/locks/kinds/shared").statusCode());
    }

    @Test
    void leaseTellsSlotAndOtherNumberIsConflict() {
        Response lease = acquire("kinds/slots?slots=2");
        int slot = lease.path("slot");
        assertTrue(slot == 0 || slot == 1, lease::asString);
        Response other = post("kinds/slots?slots=3");
        assertEquals(409, other.statusCode());
        assertEquals(2, other.<Integer>path("slots"));
        Response inspection = RestAssured.get("/locks/kinds/slots");
        assertEquals(2, inspection.<Integer>path("slots"));
        assertEquals(slot, inspection.<Integer>path("holders[0].slot"));
        String token = lease.path("token");
        assertEquals(200, post("kinds/slots?slots=2&token=" + token).statusCode());
        assertEquals(
                200, RestAssured.put("/locks/kinds/slots/extend?token=" + token).statusCode());
        release("kinds/slots", token);
    }

    @Test
    void forceEndsLeaseOfOneOwner() {
        String ann = acquire("kinds/force?mode=shared&owner=ann").path("token");
        String bob = acquire("kinds/force?mode=shared&owner=bob").path("token");
        assertEquals(
                204,
                RestAssured.delete("/locks/kinds/force?force=true&reason=test&owner=ann")
                        .statusCode());
        assertEquals(
                404, RestAssured.put("/locks/kinds/force/extend?token=" + ann).statusCode());
        assertEquals(
                200, RestAssured.put("/locks/kinds/force/extend?token=" + bob).statusCode());
        assertEquals(
                404,
                RestAssured.delete("/locks/kinds/force?force=true&reason=test&owner=ann")
                        .statusCode());
        release("kinds/force", bob);
    }

    @Test
    void forceEndsLeaseWithFencingToken() {
        Response ann = acquire("kinds/fenced?mode=shared&owner=same");
        String bob = acquire("kinds/fenced?mode=shared&owner=same").path("token");
        String query = "/locks/kinds/fenced?force=true&reason=test&fencingToken=" + ann.<Long>path("fencingToken");
        assertEquals(204, RestAssured.delete(query).statusCode());
        assertEquals(404, RestAssured.delete(query).statusCode());
        assertEquals(1, RestAssured.get("/locks/kinds/fenced").<Integer>path("holderCount"));
        release("kinds/fenced", bob);
        assertEquals(
                400,
                RestAssured.delete("/locks/kinds/fenced?fencingToken=1&token=" + bob)
                        .statusCode());
    }

    @Test
    void fenceOfEachHolderIsValid() {
        Response ann = acquire("kinds/proxied?mode=shared");
        Response bob = acquire("kinds/proxied?mode=shared");
        String check = "/locks/kinds/proxied/fence?token=";
        long fence = bob.<Long>path("fencingToken");
        assertEquals(
                204, RestAssured.get(check + ann.<Long>path("fencingToken")).statusCode());
        assertEquals(204, RestAssured.get(check + fence).statusCode());
        release("kinds/proxied", bob.path("token"));
        assertEquals(403, RestAssured.get(check + fence).statusCode());
        release("kinds/proxied", ann.path("token"));
    }

    @Test
    void inspectionNamesLocksOfLease() {
        String token = RestAssured.post("/locks?names=kinds/a&names=kinds/b").path("token");
        Response inspection = RestAssured.get("/locks/kinds/b");
        assertEquals(List.of("kinds/a", "kinds/b"), inspection.path("names"));
        assertEquals(List.of("kinds/a", "kinds/b"), inspection.path("holders[0].names"));
        assertEquals(
                204,
                RestAssured.delete("/locks?names=kinds/a&names=kinds/b&token=" + token)
                        .statusCode());
    }

    private static List<String> sorted(Response answer, String path) {
        return answer.<List<String>>path(path).stream().sorted().toList();
    }

    @ParameterizedTest
    @CsvSource({"mode=all", "slots=0", "slots=65", "slots=2&mode=shared", "mode=shared&names=a"})
    void refusesWrongKind(String query) {
        assertEquals(400, post("kinds/wrong?" + query).statusCode());
    }

    private static Response acquire(String path) {
        Response lease = post(path);
        assertEquals(201, lease.statusCode(), lease::asString);
        return lease;
    }

    private static Response post(String path) {
        return RestAssured.post("/locks/" + path);
    }

    private static void release(String name, String token) {
        assertEquals(
                204, RestAssured.delete("/locks/" + name + "?token=" + token).statusCode());
    }
}
