// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.terraform;

import static io.quorumlock.features.terraform.TerraformReplicas.expect;
import static io.quorumlock.features.terraform.TerraformReplicas.run;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.KeysText;
import io.quorumlock.testing.LockClient;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The locks of Terraform, by its requests. */
class TerraformLocksIT {

    private static TerraformReplicas replicas;

    private final TerraformRun first = run(replicas.states(), KeysText.ALICE);
    private final TerraformRun second = first.other(UUID.randomUUID().toString());

    @BeforeAll
    static void start(@TempDir Path folder) {
        replicas = TerraformReplicas.start(folder);
    }

    @AfterAll
    static void stop() {
        replicas.close();
    }

    @Test
    void onlyOneRunHoldsTheLock() {
        expect(200, first.lock());
        JsonNode holder = expect(423, second.lock());
        assertEquals(first.id(), holder.get("ID").asText());
        assertEquals("OperationTypeApply", holder.get("Operation").asText());
        assertEquals("ada@build_7", holder.get("Who").asText());
        assertEquals("2026-11-28T13:44:45Z", holder.get("Created").asText());
        expect(200, first.unlock());
        expect(200, second.lock());
    }

    @Test
    void repeatedRequestIsTheSameOne() {
        expect(200, first.lock());
        expect(200, new TerraformRun(replicas.locks().uri(), first.state(), first.id(), first.key()).lock());
        expect(423, second.lock());
    }

    @Test
    void otherRunCannotUnlock() {
        expect(200, first.lock());
        expect(409, second.unlock());
        expect(423, second.lock());
    }

    /** A run must learn that its lease ended, because another one may have run meanwhile. */
    @Test
    void unlockTellsThatTheLeaseEnded() {
        expect(200, first.lock());
        expect(200, first.unlock());
        assertEquals(
                "/problems/lease-not-found",
                expect(404, first.unlock()).get("type").asText());
    }

    @Test
    void otherMethodsOfTheBackendLockAsWell() {
        TerraformRun run = run(replicas.locks(), KeysText.ALICE);
        expect(200, run.send("PUT", "", run.info()));
        TerraformRun other = run.other("another");
        expect(423, other.send("PUT", "", other.info()));
        expect(200, run.send("DELETE", "", run.info()));
        expect(200, other.send("PUT", "", other.info()));
    }

    @Test
    void leaseEndsWithItsTtl() {
        expect(200, first.send("LOCK", "?ttlMs=500", first.info()));
        Eventually.holds("free", () -> second.lock().statusCode() == 200);
        expect(409, first.unlock());
    }

    /** The id is the one that force-unlock of OpenTofu sends. */
    @Test
    void idAloneUnlocks() {
        expect(200, first.lock());
        expect(200, second.send("UNLOCK", "", "{\"ID\":\"" + first.id() + "\"}"));
        expect(200, second.lock());
    }

    @Test
    void emptyUnlockNeedsThePermissionToForce() {
        expect(200, first.lock());
        assertEquals(
                "force", expect(403, second.send("UNLOCK", "", "")).get("verb").asText());
        expect(423, second.lock());
        TerraformRun operator = new TerraformRun(replicas.states().uri(), first.state(), "none", KeysText.BOB);
        expect(200, operator.send("UNLOCK", "", ""));
        Eventually.holds(
                replicas.states()::output, () -> replicas.states().output().contains("forced release status=204"));
        expect(404, operator.send("UNLOCK", "", ""));
        expect(200, second.lock());
    }

    @Test
    void namesHolderThatIsNoRun() {
        LockClient client = replicas.locks().client().withKey(KeysText.ALICE);
        client.acquire("terraform/" + first.state() + "?owner=a%20person", 5_000);
        JsonNode holder = expect(423, first.lock());
        assertEquals("unknown", holder.get("ID").asText());
        assertEquals("a person", holder.get("Who").asText());
        assertFalse(holder.has("Created"), holder::toString);
    }

    /** Other bodies have at most 16 KB. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "x",
                "[]",
                "5",
                "null",
                "{}",
                "{\"ID\":\"\"}",
                "{\"ID\":null}",
                "{\"ID\":\"a b\"}",
                "{\"ID\":{}}",
                "{\"ID\":\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\"}",
                "{\"ID\":\"\u0000\"}",
                "{\"ID\":\"a\""
            })
    void refusesBodiesOfOthers(String body) {
        expect(400, first.send("LOCK", "", body));
        expect(200, second.lock());
        expect(400, second.send("UNLOCK", "", body));
        expect(423, first.lock());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "?ttlMs=",
                "?ttlMs=-1",
                "?ttlMs=1",
                "?ttlMs=99999999999999999999",
                "?ttlms=5000",
                "?ttlMs=5s",
                "?ttlMs=5000&ttlMs=6000",
                "?ttlMs=5000&ttlMs=5000",
                "?ID=a"
            })
    void refusesOtherQueries(String query) {
        expect(400, first.send("LOCK", query, first.info()));
        expect(200, second.lock());
    }

    @Test
    void refusesLargeLockInfo() {
        assertEquals(
                413,
                first.send("LOCK", "", "{\"ID\":\"" + "a".repeat(20_000) + "\"}")
                        .statusCode());
        expect(400, first.send("LOCK", "", ""));
        expect(200, second.lock());
    }

    @Test
    void needsKey() {
        TerraformRun stranger = new TerraformRun(replicas.states().uri(), "a", "id");
        for (String method : List.of("LOCK", "PUT", "UNLOCK", "GET", "POST", "DELETE")) {
            expect(401, stranger.send(method, "", stranger.info()));
        }
    }
}
