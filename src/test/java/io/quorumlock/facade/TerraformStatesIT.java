// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.facade;

import static io.quorumlock.facade.TerraformReplicas.expect;
import static io.quorumlock.facade.TerraformReplicas.run;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.KeysText;
import io.quorumlock.testing.LockClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The states of Terraform that the service passes on to a store. */
class TerraformStatesIT {
    private static final Duration SOON = Duration.ofSeconds(20);

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
    void onlyTheHolderSaves() {
        assertEquals(404, first.read().statusCode());
        expect(200, first.send("LOCK", "?ttlMs=500", first.info()));
        Eventually.within(SOON, "free", () -> second.lock().statusCode() == 200);
        expect(200, second.save("{\"serial\":2}"));
        assertEquals(
                "/problems/state-not-locked",
                expect(409, first.save("{\"serial\":1}")).get("type").asText());
        assertEquals("{\"serial\":2}", first.read().body());
    }

    @Test
    void savingExtendsTheLease() {
        expect(200, first.send("LOCK", "?ttlMs=2000", first.info()));
        expect(200, first.save("1"));
        LockClient client = replicas.locks().client().withKey(KeysText.ALICE);
        int left = client.get("/locks/terraform/" + first.state())
                .body()
                .get("remainingMs")
                .asInt();
        assertTrue(left > 3_000_000, () -> left + " ms left");
    }

    @Test
    void statesMayBeLarge() {
        expect(200, first.lock());
        String large = "x".repeat(3_000_000);
        expect(200, first.save(large));
        assertEquals(large, first.read().body());
        expect(409, second.save(large));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "?ID=", "?ID=a%20b"})
    void stateIsNotSavedWithoutAnId(String query) {
        expect(409, first.send("POST", query, "{}"));
        assertEquals(404, first.read().statusCode());
    }

    @Test
    void lockedStateIsNotDeleted() {
        TerraformRun operator = new TerraformRun(replicas.states().uri(), first.state(), "operator", KeysText.BOB);
        expect(200, first.lock());
        expect(200, first.save("1"));
        expect(403, first.send("DELETE", "", ""));
        expect(423, operator.send("DELETE", "", ""));
        expect(200, first.unlock());
        assertEquals(204, operator.send("DELETE", "", "").statusCode());
        assertEquals(404, first.read().statusCode());
    }

    @ParameterizedTest
    @ValueSource(ints = {500, 401, 302, 418})
    void failureOfTheStoreIsTold(int status) {
        expect(200, first.lock());
        replicas.store().broken = status;
        try {
            expect(502, first.save("1"));
            expect(502, first.read());
        } finally {
            replicas.store().broken = 0;
        }
        expect(200, first.save("1"));
        assertFalse(replicas.states().output().contains("s3cret"), replicas.states()::output);
    }

    @Test
    void refusesStatesWithoutStore() {
        TerraformRun run = run(replicas.locks(), KeysText.ALICE);
        expect(501, run.read());
        expect(501, run.save("{}"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a/../b", "a//b", "a/%2e%2e/b", "a/", "a%00", "a%FF", "extend", "a/fence", "a%2F..%2Fb"})
    void refusesOtherNames(String state) {
        TerraformRun run = new TerraformRun(replicas.states().uri(), state, "id", KeysText.BOB);
        for (String method : List.of("LOCK", "UNLOCK", "GET", "POST", "DELETE")) {
            assertEquals(400, run.send(method, "?ID=id", run.info()).statusCode(), method);
        }
    }

    @Test
    void oddNamesAreTheSameForLocksAndStates() {
        TerraformRun run = new TerraformRun(replicas.states().uri(), "a+b%2F%C3%A9%20c%25", "id", KeysText.ALICE);
        expect(200, run.lock());
        expect(200, run.save("1"));
        assertEquals("1", run.read().body());
        assertTrue(
                replicas.store().states.containsKey("/below/a%2Bb/%C3%A9%20c%25"),
                () -> replicas.store().states.keySet().toString());
    }
}
