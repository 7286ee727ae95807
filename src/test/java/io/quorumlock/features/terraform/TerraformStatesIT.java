// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.terraform;

import static io.quorumlock.features.terraform.TerraformReplicas.expect;
import static io.quorumlock.features.terraform.TerraformReplicas.run;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.KeysText;
import io.quorumlock.testing.LockClient;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The states of Terraform that the service passes on to a store. */
class TerraformStatesIT {

    private static TerraformReplicas replicas;

    private final TerraformRun first = run(replicas.states(), KeysText.ALICE);
    private final TerraformRun second = first.other(UUID.randomUUID().toString());

    @BeforeAll
    static void start(@TempDir Path folder) {
        replicas = TerraformReplicas.start(folder);
    }

    @AfterAll
    static void stop() {
        String log = replicas.states().output();
        replicas.close();
        assertFalse(log.contains(" ERROR "), log);
        // A client that cut its request is no failure of the store.
        List<String> failures = log.lines()
                .filter(line -> line.contains("store of states failed")
                        && !line.matches(".* cause=\"(status \\d+|no answer within 6 s)\""))
                .toList();
        assertEquals(List.of(), failures);
    }

    @Test
    void onlyTheHolderSaves() {
        assertEquals(404, first.read().statusCode());
        expect(200, first.send("LOCK", "?ttlMs=500", first.info()));
        Eventually.holds("free", () -> second.lock().statusCode() == 200);
        expect(200, second.save("{\"serial\":2}"));
        assertEquals(
                "/problems/state-not-locked",
                expect(409, first.save("{\"serial\":1}")).get("type").asText());
        assertEquals("{\"serial\":2}", first.read().body());
    }

    @Test
    void savingExtendsTheLease() {
        expect(200, first.send("LOCK", "?ttlMs=60000", first.info()));
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
    @CsvSource({"POST, '', 409", "POST, ?ID=, 409", "POST, ?ID=a%20b, 409", "PUT, ?ID=, 409", "PUT, '', 400"})
    void stateIsNotSavedWithoutAnId(String method, String query, int status) {
        expect(200, first.lock());
        expect(status, first.send(method, query, "{\"version\":4,\"serial\":1}"));
        assertEquals(404, first.read().statusCode());
        expect(423, second.lock());
    }

    @ParameterizedTest
    @ValueSource(strings = {"?ttlMs=5000&ttlMs=6000&ID=", "?ID=a&ID=", "?ttlms=5000&ID="})
    void refusesOtherQueries(String query) {
        expect(200, first.lock());
        for (String method : List.of("POST", "PUT")) {
            expect(400, first.send(method, query + first.id(), "1"));
        }
        assertEquals(404, first.read().statusCode());
    }

    /** No method of this service deletes a state. */
    @Test
    void deleteUnlocks() {
        expect(200, first.lock());
        expect(200, first.save("1"));
        expect(200, first.send("DELETE", "", first.info()));
        expect(404, first.send("DELETE", "", first.info()));
        assertEquals("1", first.read().body());
    }

    /** A store that hangs must not write after the lease, which another run may have by then. */
    @Test
    void savingEndsWithTheLease() {
        expect(200, first.send("LOCK", "?ttlMs=6000", first.info()));
        replicas.store().hangs = true;
        try {
            expect(502, first.send("POST", "?ttlMs=6000&ID=" + first.id(), "late"));
        } finally {
            replicas.store().hangs = false;
        }
        String log = replicas.states().output();
        assertTrue(log.contains("the store of states failed cause=\"no answer within 6 s\""), log);
        Eventually.holds("free", () -> second.lock().statusCode() == 200);
        assertEquals(404, second.read().statusCode());
    }

    @ParameterizedTest
    @ValueSource(strings = {"Transfer-Encoding: chunked\r\n\r\n5\r\n{\"a\":\r\n", "Content-Length: 9\r\n\r\n{\"a\":"})
    void cutStateIsNotSaved(String rest) throws IOException {
        expect(200, first.lock());
        expect(200, first.save("whole"));
        try (Socket socket = new Socket("127.0.0.1", replicas.states().uri().getPort())) {
            String head = "POST /terraform/" + first.state() + "?ID=" + first.id() + " HTTP/1.1\r\nHost: a\r\n"
                    + "Authorization: Bearer " + first.key() + "\r\n" + rest;
            socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
            Eventually.holds("begun", () -> replicas.store().reading.get() > 0);
        }
        Eventually.holds("ended", () -> replicas.store().reading.get() == 0);
        assertEquals("whole", first.read().body());
    }

    @ParameterizedTest
    @ValueSource(strings = {"/terraform", "/terraform/a?ID=%zz", "/terraform/a?ttlMs=%zz"})
    void answersMalformedRequests(String target) throws IOException {
        String status = target.contains("?") ? "400" : "404";
        for (String method : List.of("POST", "LOCK")) {
            try (Socket socket = new Socket("127.0.0.1", replicas.states().uri().getPort())) {
                String head = method + " " + target + " HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer " + first.key()
                        + "\r\nContent-Length: 10\r\nConnection: close\r\n\r\n{\"ID\":\"a\"}";
                socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
                String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                assertTrue(answer.startsWith("HTTP/1.1 " + status), method + " " + answer);
            }
        }
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

    /** The tool repeats a redirected call as GET, and would take 200 for a lock or a save. */
    @Test
    void refusesReadsThatWereOtherCallsBeforeARedirect() throws Exception {
        expect(200, first.lock());
        expect(200, first.save("1"));
        HttpRequest redirected = HttpRequest.newBuilder(URI.create(first.service() + "/terraform/" + first.state()))
                .header("Authorization", "Bearer " + first.key())
                .header("Referer", "http://locks/terraform/" + first.state())
                .build();
        String locked = expect(400, HttpClient.newHttpClient().send(redirected, BodyHandlers.ofString()))
                .path("detail")
                .asText();
        String end = first.service().toString().replace("http:", "https:") + "/terraform/" + first.state();
        assertTrue(locked.contains(" the final address, as in " + end + ", into address"), locked);
        expect(400, first.send("GET", "?ID=" + first.id(), ""));
        assertEquals("1", first.read().body());
    }

    /** A browser would run a state as a page in the origin of the operator's page. */
    @Test
    void stateIsNoPage() {
        expect(200, first.lock());
        expect(200, first.save("<script>alert(1)</script>"));
        for (HttpResponse<String> answer : List.of(first.read(), second.save("1"), first.unlock())) {
            assertEquals(
                    "nosniff",
                    answer.headers().firstValue("X-Content-Type-Options").orElseThrow());
            String type = answer.headers().firstValue("Content-Type").orElseThrow();
            assertTrue(type.matches("application/(problem\\+)?json"), type);
        }
    }

    @Test
    void refusesStatesWithoutStore() {
        TerraformRun run = run(replicas.locks(), KeysText.ALICE);
        expect(501, run.read());
        expect(501, run.save("{}"));
        expect(501, run.send("PUT", "?ID=" + run.id(), "{}"));
        expect(200, run.send("PUT", "", run.info()));
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
