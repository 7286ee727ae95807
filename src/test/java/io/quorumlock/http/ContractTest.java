// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.quarkus.arc.All;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Comparison with openapi.yaml: all answers conform to it, and tests cover every operation and status in it. */
@QuarkusTest
class ContractTest {
    private static final String LOCK = "/locks/contract/lock";
    private static final String STRANGER = "a-token-of-nobody";

    private final OpenApiContract contract = OpenApiContract.load();

    @TestHTTPResource
    URI service;

    @Inject
    @All
    List<ProblemType> ofFeatures;

    @Test
    void testsCoverEveryOperationAndStatus() {
        String token = acquire();
        inspect();
        extend(token);
        list();
        expect(400, RawRequest.post("/sessions/contract/lock?ttlMs=1"));
        release(token);
        force();
        useSeveral();
        expect(400, RawRequest.get("/events?prefix=//"));
        showNodesAndProblems();
        assertEquals(Set.of(), contract.unexercised());
    }

    private String acquire() {
        expect(400, RawRequest.post(LOCK + "?ttlMs=1"));
        RawAnswer acquired = expect(201, RawRequest.post(LOCK).json("{\"ttlMs\":60000,\"owner\":\"me\"}"));
        String token = acquired.json().get("token").asText();
        RawRequest replay = RawRequest.post(LOCK + "?ttlMs=60000&owner=me").token(token);
        assertEquals(token, expect(200, replay).json().get("token").asText());
        expect(423, RawRequest.post(LOCK));
        expect(409, RawRequest.post(LOCK + "?ttlMs=60000").token(token));
        expect(409, RawRequest.post("/sessions/contract/lock?ttlMs=60000").token(token));
        return token;
    }

    private void inspect() {
        JsonNode lock = expect(200, RawRequest.get(LOCK)).json();
        assertEquals("me", lock.get("owner").asText());
        assertEquals(0, lock.get("extensions").asInt());
        Instant since = Instant.parse(lock.get("heldSince").asText());
        assertEquals(0, Duration.between(since, Instant.now()).toHours(), since::toString);
        expect(400, RawRequest.get(LOCK + "?x=1"));
        expect(404, RawRequest.get("/locks/contract/free"));
        String fence = LOCK + "/fence?token=";
        long token = lock.get("fencingToken").asLong();
        expect(204, RawRequest.get(fence + token));
        for (String other : List.of("" + (token + 1), "0" + token, token + ".0", "", "%00", "9".repeat(500))) {
            expect(403, RawRequest.get(fence + other));
        }
        expect(403, RawRequest.get(LOCK + "/fence"));
        expect(403, RawRequest.get("/locks/contract/free/fence?token=" + token));
        expect(400, RawRequest.get(fence + token + "&token=" + token));
    }

    private void extend(String token) {
        RawRequest extend = RawRequest.put(LOCK + "/extend");
        expect(400, extend);
        expect(404, RawRequest.put("/locks/contract/free/extend").token(STRANGER));
        expect(409, extend.token(STRANGER));
        expect(200, extend.token(token));
    }

    private void release(String token) {
        expect(400, RawRequest.delete(LOCK));
        expect(409, RawRequest.delete(LOCK).token(STRANGER));
        expect(204, RawRequest.delete(LOCK).token(token));
        expect(404, RawRequest.delete(LOCK).token(token));
    }

    private void list() {
        expect(400, RawRequest.get("/locks?limit=0"));
        acquireAt("/locks/contract/other");
        RawAnswer first = expect(200, RawRequest.get("/locks?prefix=contract/&limit=1"));
        String rest =
                "/locks?prefix=contract/&after=" + first.json().get("after").asText();
        RawAnswer last = expect(200, RawRequest.get(rest));
        assertEquals("contract/lock", first.json().at("/locks/0/resource").asText());
        assertEquals("me", first.json().at("/locks/0/owner").asText());
        assertEquals(List.of("contract/other"), last.json().findValuesAsText("resource"));
        assertFalse(last.json().has("after"));
    }

    private void force() {
        String token = acquireAt(LOCK);
        expect(400, RawRequest.delete(LOCK + "?force=true"));
        expect(204, RawRequest.delete(LOCK + "?force=true&reason=holder%20is%20gone"));
        expect(404, RawRequest.put(LOCK + "/extend").token(token));
        expect(404, RawRequest.delete(LOCK).json("{\"force\":true,\"reason\":\"again\"}"));
    }

    private void useSeveral() {
        String names = "?names=contract/one&names=contract/two";
        String token = "a-token-of-a-set";
        expect(400, RawRequest.post("/locks"));
        expect(400, RawRequest.put("/locks/extend" + names));
        expect(400, RawRequest.delete("/locks").token(token));
        expect(404, RawRequest.put("/locks/extend" + names).token(token));
        RawAnswer acquired = expect(201, RawRequest.post("/locks" + names).token(token));
        assertEquals(List.of("contract/one", "contract/two"), acquired.json().findValuesAsText("name"));
        expect(200, RawRequest.post("/locks" + names).token(token));
        expect(409, RawRequest.post("/locks?names=contract/one").token(token));
        RawAnswer held = expect(423, RawRequest.post("/locks").json("{\"names\":[\"contract/two\",\"contract/3\"]}"));
        assertEquals("contract/two", held.json().at("/held/0/name").asText());
        expect(409, RawRequest.put("/locks/extend" + names).token(STRANGER));
        expect(200, RawRequest.put("/locks/extend" + names).token(token));
        expect(409, RawRequest.delete("/locks" + names).token(STRANGER));
        expect(204, RawRequest.delete("/locks" + names).token(token));
        expect(404, RawRequest.delete("/locks" + names).token(token));
    }

    private String acquireAt(String lock) {
        return expect(201, RawRequest.post(lock)).json().get("token").asText();
    }

    private void showNodesAndProblems() {
        RawAnswer nodes = expect(200, RawRequest.get("/nodes"));
        assertEquals(3, nodes.json().get("quorum").asInt());
        assertTrue(nodes.json().at("/nodes/0/address").asText().matches("\\S+:\\d+"), nodes::body);
        assertEquals("test", nodes.json().get("environment").asText());
        expect(400, RawRequest.get("/nodes?x=1"));
        expect(404, RawRequest.get("/problems/none"));
        for (ProblemType type : problemTypes()) {
            assertTrue(expect(200, RawRequest.get(type.uri())).body().contains(type.title()));
        }
    }

    @Test
    void servesContractUnchanged() throws IOException {
        String served =
                new RawHttp(service).send(RawRequest.get("/openapi.yaml")).body();
        assertEquals(Files.readString(Path.of("openapi.yaml")), served);
    }

    @Test
    void contractListsEveryTypeOfProblem() {
        Set<String> types = problemTypes().stream().map(ProblemType::uri).collect(Collectors.toSet());
        assertEquals(new TreeSet<>(types), contract.problemTypes());
    }

    @Test
    void testsNamedInContractExist() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("src/test/java"))) {
            Set<String> tests = files.map(file -> file.getFileName().toString().replace(".java", ""))
                    .collect(Collectors.toSet());
            assertTrue(tests.containsAll(contract.namedTests()), () -> contract.namedTests()
                    .toString());
        }
    }

    private List<ProblemType> problemTypes() {
        return Stream.concat(ProblemType.CORE.stream(), ofFeatures.stream()).toList();
    }

    private RawAnswer expect(int status, RawRequest request) {
        RawAnswer answer = new RawHttp(service).send(request);
        assertEquals(status, answer.status(), answer::body);
        contract.check(request, answer);
        return answer;
    }
}
