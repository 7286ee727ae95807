// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.restassured.response.Response;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Shared locks and semaphores over HTTP. */
@QuarkusTest
class KindsTest {

    @Test
    void inspectionAndListTellKindAndNumberOfHolders() {
        String first = acquire("kinds/shared?mode=shared").path("token");
        String second = acquire("kinds/shared?mode=shared").path("token");
        assertEquals(423, post("kinds/shared").statusCode());
        Response inspection = RestAssured.get("/locks/kinds/shared");
        assertEquals("shared", inspection.path("mode"));
        assertEquals(2, inspection.<Integer>path("holders"));
        Response listing = RestAssured.get("/locks?prefix=kinds/shared");
        assertEquals("shared", listing.path("locks[0].mode"));
        assertEquals(2, listing.<Integer>path("locks[0].holders"));
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
        assertEquals(2, RestAssured.get("/locks/kinds/slots").<Integer>path("slots"));
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
