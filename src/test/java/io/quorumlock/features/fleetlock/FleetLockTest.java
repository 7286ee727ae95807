// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.fleetlock;

import static io.quorumlock.features.fleetlock.FleetLockClient.PRE_REBOOT;
import static io.quorumlock.features.fleetlock.FleetLockClient.STEADY_STATE;
import static io.quorumlock.features.fleetlock.FleetLockClient.assertDone;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.testing.LockClient;
import io.quorumlock.testing.LockClient.Answer;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Reboots of machines, with the requests of Zincati. */
@QuarkusTest
@TestProfile(FleetLockProfile.class)
class FleetLockTest {
    private static final String ID = "e0f3745b108f471cbd4883c6fbed8cdd";
    private static final String OTHER = "c988d2509fdf4cdcbed39037c56406fb";

    @TestHTTPResource
    URI service;

    private FleetLockClient machines;
    private LockClient locks;

    @BeforeEach
    void connect() {
        machines = FleetLockClient.at(service);
        locks = new LockClient(service);
    }

    @Test
    void machineTakesSlotAndGivesItBack() {
        machines.take("mock-workers", ID);
        JsonNode slot = lock("mock-workers");
        assertEquals(1, slot.get("slots").asInt());
        assertTrue(slot.get("owner").asText().startsWith(ID + " 20"), slot::toString);
        assertTrue(slot.get("remainingMs").asLong() > 10_000, slot::toString);
        machines.giveBack("mock-workers", ID);
        assertFree("mock-workers");
    }

    @Test
    void ignoresFurtherMembers() {
        String body = "{\"version\":2,\"client_params\":{\"group\":\"more\",\"node\":{},\"id\":\"a\"}}";
        assertDone(machines.post(PRE_REBOOT, body));
        assertDone(machines.post(STEADY_STATE, body));
        assertFree("more");
    }

    @Test
    void repeatKeepsSlotAndBeginsItsTtlAnew() {
        machines.take("repeats", ID);
        JsonNode before = lock("repeats");
        machines.take("repeats", ID);
        machines.take("repeats", ID);
        JsonNode after = lock("repeats");
        assertEquals(1, after.get("holderCount").asInt());
        assertEquals(before.get("owner"), after.get("owner"));
        assertEquals(2, after.get("extensions").asInt());
        machines.giveBack("repeats", ID);
        machines.giveBack("repeats", ID);
        assertFree("repeats");
    }

    @Test
    void machineWithoutSlotGivesBackNothing() {
        machines.giveBack("unbalanced", ID);
        machines.take("unbalanced", OTHER);
        machines.giveBack("unbalanced", ID);
        assertEquals(409, machines.preReboot("unbalanced", ID).status());
        machines.giveBack("unbalanced", OTHER);
    }

    /** The service may repeat the release of an earlier lease, and would delete a later one with the same token. */
    @Test
    void eachLeaseHasAnotherToken() {
        machines.take("again", ID);
        JsonNode first = lock("again");
        machines.giveBack("again", ID);
        machines.take("again", ID);
        assertNotEquals(first.get("owner"), lock("again").get("owner"));
        machines.giveBack("again", ID);
    }

    @Test
    void fullGroupNamesItsHolders() {
        machines.take("full", ID);
        Answer refusal = machines.preReboot("full", OTHER);
        assertEquals(409, refusal.status());
        assertEquals("failed_lock", refusal.body().get("kind").asText());
        String value = refusal.body().get("value").asText();
        String since = lock("full").get("owner").asText();
        assertEquals("No slot of the group full is free. Slots: 1. Held by: " + since + ".", value);
        machines.giveBack("full", ID);
        machines.take("full", OTHER);
        machines.giveBack("full", OTHER);
    }

    @Test
    void groupsHaveTheirOwnSlots() {
        machines.take("workers", ID);
        machines.take("workers", OTHER);
        Answer refusal = machines.preReboot("workers", "third");
        assertEquals(409, refusal.status());
        String value = refusal.body().get("value").asText();
        assertTrue(value.contains("Slots: 2.") && value.contains(ID) && value.contains(OTHER), value);
        machines.take("databases", ID);
        assertEquals(409, machines.preReboot("databases", OTHER).status());
        machines.giveBack("workers", OTHER);
        machines.take("workers", "third");
        List.of(ID, "third").forEach(id -> machines.giveBack("workers", id));
        machines.giveBack("databases", ID);
        assertFree("workers");
    }

    /** Another id that begins with the same characters, or contains the separator, is another machine. */
    @Test
    void tellsSimilarIdsApart() {
        machines.take("similar", "node 1");
        for (String other : List.of("node", "node 1 2026", "ode 1", "NODE 1", "node 1 ")) {
            machines.giveBack("similar", other);
            assertEquals(409, machines.preReboot("similar", other).status(), other);
        }
        machines.take("similar", "node 1");
        machines.giveBack("similar", "node 1");
        assertFree("similar");
    }

    @Test
    void takesLongAndUnusualIds() {
        for (String id : List.of("é".repeat(100), "😀", "a/b", "{}", " ", "Held by: x. y, z", "\\\\", "..")) {
            machines.take("ids", id);
            machines.take("ids", id);
            machines.giveBack("ids", id);
            assertFree("ids");
        }
    }

    /** As after a change of quorumlock.fleetlock.groups. */
    @Test
    void machinesWithOldSlotsKeepOthersOutAndExtend() {
        String owner = ID + " 2026-01-31T12:00:00Z";
        takeByHttp("changed", owner, "&slots=3");
        Answer refusal = machines.preReboot("changed", OTHER);
        assertEquals(409, refusal.status());
        assertEquals("other_slots", refusal.body().get("kind").asText());
        String value = refusal.body().get("value").asText();
        assertTrue(value.contains("there were 3, and now there are 1. Wait until all of them are back"), value);
        machines.take("changed", ID);
        assertEquals(1, lock("changed").get("extensions").asInt());
        machines.giveBack("changed", ID);
        machines.take("changed", OTHER);
        machines.giveBack("changed", OTHER);
    }

    /** As after two requests at the same moment. */
    @Test
    void machineGivesBackAllOfItsSlots() {
        takeByHttp("workers", ID + " 2026-01-31T12:00:00Z", "&slots=2");
        takeByHttp("workers", ID + " 2026-01-31T12:00:01Z", "&slots=2");
        machines.take("workers", ID);
        assertEquals(2, lock("workers").get("holderCount").asInt());
        machines.giveBack("workers", ID);
        assertFree("workers");
    }

    /** The token of such a lease is not derived from its owner. */
    @Test
    void operatorHoldsBackReboots() {
        Answer lease = locks.post("/locks/fleetlock/frozen?owner=" + ID + "%20maintenance", new byte[0]);
        assertEquals(201, lease.status());
        Answer refusal = machines.preReboot("frozen", ID);
        assertEquals(409, refusal.status());
        String value = refusal.body().get("value").asText();
        assertTrue(value.endsWith("Held by: " + ID + " maintenance."), value);
        machines.giveBack("frozen", ID);
        assertEquals(204, locks.release("fleetlock/frozen", lease.token()).status());
        machines.take("frozen", ID);
        machines.giveBack("frozen", ID);
    }

    @Test
    void supportsOnlyPost() {
        Answer answer = locks.get(PRE_REBOOT);
        assertEquals(405, answer.status());
        assertEquals("POST", answer.response().headers().firstValue("Allow").orElse(""));
        assertEquals(
                404, machines.http().post("/fleetlock/v1/other", new byte[0]).status());
    }

    @Test
    void metersHaveOneLabelForBothCalls() {
        machines.giveBack("metered", ID);
        assertTrue(locks.get("/q/metrics").response().body().contains("uri=\"/fleetlock/{call}\""));
    }

    /** Takes a slot as this machine would have done at another time, or with other settings. */
    private void takeByHttp(String group, String owner, String terms) {
        String token = LeaseToken.derivedFrom(new ResourceName("fleetlock/" + group), owner)
                .text();
        String query = "?token=" + token + "&owner=" + URLEncoder.encode(owner, StandardCharsets.UTF_8) + terms;
        assertEquals(
                201,
                locks.post("/locks/fleetlock/" + group + query, new byte[0]).status());
    }

    private JsonNode lock(String group) {
        return locks.get("/locks/fleetlock/" + group).body();
    }

    private void assertFree(String group) {
        assertEquals(404, locks.get("/locks/fleetlock/" + group).status(), group);
    }
}
