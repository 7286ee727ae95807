// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quorumlock.testing.Proves;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Invalid requests. Each gets the answer of the contract as a problem document, without internal details. */
@QuarkusTest
@Proves({"R13", "R14"})
class BadInputTest {
    private static final int FEWEST_ROWS = 100;
    private static final OpenApiContract CONTRACT = OpenApiContract.load();

    @TestHTTPResource
    URI service;

    @BeforeEach
    void acquireLocksOfTables() {
        hold(BadInput.HELD, BadInput.HOLDER);
        hold(BadInput.OTHER, BadInput.OTHERS_HOLDER);
    }

    static Stream<BadInput> rows() {
        return Stream.of(
                        BadNames.rows(),
                        BadFields.rows(),
                        BadTokens.rows(),
                        BadMethods.rows(),
                        BadForce.rows(),
                        BadSets.rows(),
                        BadLists.rows(),
                        BadSessions.rows())
                .flatMap(rows -> rows);
    }

    @ParameterizedTest
    @MethodSource("rows")
    void answersEachRowAsInContract(BadInput row) {
        RawAnswer answer = send(row.request());
        assertEquals(row.status() + " " + row.slug(), answer.status() + " " + answer.slug(), answer::body);
        CONTRACT.check(row.request(), answer);
        if (row.status() == 201) {
            release(answer);
        } else {
            assertHidesSecrets(answer);
        }
    }

    @Test
    void tablesHaveEnoughRows() {
        assertTrue(rows().count() >= FEWEST_ROWS);
    }

    @ParameterizedTest
    @MethodSource("io.quorumlock.http.NotHttp#rows")
    void rejectsInvalidHttp(String wire) {
        byte[] answer = new RawHttp(service).send(wire.getBytes(StandardCharsets.ISO_8859_1));
        String text = new String(answer, StandardCharsets.ISO_8859_1);
        assertTrue(text.matches("(?s)HTTP/1.[01] 4(00|04|14|31) .*\r\n\r\n.*"), text);
        assertFalse(text.contains("<html") || text.contains("\tat "), text);
    }

    @Test
    void listsAllowedMethods() {
        assertEquals("DELETE, GET, POST", send(RawRequest.put("/locks/a")).header("Allow"));
        assertEquals(
                "DELETE, GET, POST", send(RawRequest.of("HEAD", "/locks/a")).header("Allow"));
        assertEquals("POST", send(RawRequest.of("HEAD", "/sessions/a")).header("Allow"));
        assertEquals("GET", send(RawRequest.of("HEAD", "/nodes")).header("Allow"));
        assertEquals("PUT", send(RawRequest.of("PATCH", "/locks/a/extend")).header("Allow"));
        assertEquals("POST", send(RawRequest.get("/sessions/a")).header("Allow"));
        assertEquals("GET", send(RawRequest.delete("/nodes")).header("Allow"));
        assertEquals("DELETE, GET, POST", send(RawRequest.put("/locks")).header("Allow"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/locks",
                "/locks/a",
                "/locks/a/extend",
                "/locks/a%2Fextend",
                "/sessions/a",
                "/nodes",
                "/events",
                "/problems/locked"
            })
    void optionsListTheSameMethodsAsAnAnswerToAnotherMethod(String path) {
        RawAnswer options = send(RawRequest.of("OPTIONS", path));
        assertEquals(200, options.status());
        assertEquals(send(RawRequest.of("PATCH", path)).header("Allow"), options.header("Allow"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/locks/a;b", "/locks/a;b=1/c", "/sessions/;"})
    void saysHowToEncodeSemicolons(String path) {
        assertEquals(
                "The name must have %3B instead of \";\".",
                send(RawRequest.post(path)).json().get("detail").asText());
    }

    /** A slip in the method must not take a lock with a name of which nobody thought. */
    @ParameterizedTest
    @CsvSource({
        "POST, /locks/orders/7/extend",
        "GET, /locks/orders/7/extend",
        "DELETE, /locks/orders/7/extend",
        "POST, /locks/extend",
        "DELETE, /locks/extend/extend",
        "POST, /locks/orders/7%2Fextend",
        "GET, /locks/orders/7/%65xtend",
        "PUT, /locks/orders/7%2fextend"
    })
    void namesMethodOfExtensions(String method, String path) {
        RawAnswer answer = send(RawRequest.of(method, path).token(BadInput.STRANGER));
        assertEquals("PUT", answer.header("Allow"));
        assertEquals(
                "Extend with PUT /locks/{name}/extend. The name of a lock must not end in the segment \"extend\".",
                answer.json().get("detail").asText());
    }

    @ParameterizedTest
    @CsvSource({"PUT, /locks/orders/7/fence", "POST, /locks/fence", "DELETE, /locks/orders/7%2Ffence"})
    void namesMethodOfFenceChecks(String method, String path) {
        RawAnswer answer = send(RawRequest.of(method, path).token(BadInput.STRANGER));
        assertEquals("GET", answer.header("Allow"));
        assertEquals(
                "Check a fencing token with GET /locks/{name}/fence?token=n."
                        + " The name of a lock must not end in the segment \"fence\".",
                answer.json().get("detail").asText());
    }

    @ParameterizedTest
    @CsvSource({"ttlms=500, ttlMs", "TTL_MS=500, ttlMs", "ttl=500, ttlMs", "wait=500, waitMs", "name=a, names"})
    void suggestsSimilarFields(String query, String similar) {
        String detail = send(RawRequest.post("/locks/bad/similar?" + query))
                .json()
                .get("detail")
                .asText();
        assertTrue(detail.endsWith(" is unknown; did you mean " + similar + "."), detail);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "GET  | /locks?prefx=a             | prefx is unknown; the fields are after, limit, prefix.",
                "POST | /locks/bad/unit?ttlMs=30s  | ttlMs must be a whole number without a unit, in milliseconds: 30000.",
                "POST | /locks/bad/unit?ttlMs=30Mi | ttlMs must be a whole number without a unit.",
                "POST | /locks/bad/unit?slots=4s   | slots must be a whole number without a unit.",
            })
    void saysWhatToWrite(String method, String path, String detail) {
        assertEquals(
                detail, send(RawRequest.of(method, path)).json().get("detail").asText());
    }

    /** What curl sends with -d. */
    @Test
    void explainsFormsInBodies() {
        RawAnswer answer = send(RawRequest.post("/locks/bad/form").json("ttlMs=30000"));
        assertEquals(
                "body must be one JSON object, such as {\"ttlMs\":30000}; the query takes name=value.",
                answer.json().get("detail").asText());
    }

    @Test
    void namesPathsOfHealthAndMetrics() {
        String detail = send(RawRequest.get("/health")).json().get("detail").asText();
        assertTrue(detail.contains("/q/health") && detail.contains("/q/metrics"), detail);
    }

    @Test
    void answersHeadWithoutBody() {
        RawAnswer answer = send(RawRequest.of("HEAD", "/locks/a"));
        assertEquals(405, answer.status());
        assertEquals("", answer.body());
    }

    @ParameterizedTest
    @CsvSource({"POST, /locks/bad/body", "GET, /locks/bad/body", "GET, /nodes", "POST, /sessions/bad/body"})
    void rejectsLargeBodies(String method, String path) {
        RawAnswer answer = send(RawRequest.of(method, path).json(" ".repeat(16 * 1024 + 1)));
        assertEquals("413 body-too-large", answer.status() + " " + answer.slug());
    }

    /** The largest body is read, however it is sent. */
    @Test
    void readsBodiesOfTheLongestSize() {
        String body = "{\"ttlMs\":6000" + " ".repeat(16 * 1024 - 14) + "}";
        assertEquals(201, send(RawRequest.post("/locks/bad/longest").json(body)).status());
        RawRequest chunked = RawRequest.post("/locks/bad/longest-chunk").header("Transfer-Encoding", "chunked");
        String chunks = "4000\r\n" + body + "\r\n0\r\n\r\n";
        assertEquals(
                201,
                send(new RawRequest("POST", chunked.target(), chunked.headers(), ascii(chunks)))
                        .status());
    }

    @Test
    void rejectsRequestsWithoutHostWithProblem() {
        RawRequest request = new RawRequest("GET", "/nodes", List.of("Connection: close"), new byte[0]);
        assertEquals("invalid-request", send(request).slug());
    }

    @Test
    void readsChunkedBodies() {
        RawRequest request = RawRequest.post("/locks/bad/chunks").header("Transfer-Encoding", "chunked");
        String chunks = "6\r\n{\"ttlM\r\n8\r\ns\":6000}\r\n0\r\n\r\n";
        RawAnswer answer = send(new RawRequest("POST", request.target(), request.headers(), ascii(chunks)));
        assertEquals(6000, answer.json().get("ttlMs").asInt());
    }

    @Test
    void rejectsLargeChunkedBodies() {
        RawRequest request = RawRequest.post("/locks/bad/chunks").header("Transfer-Encoding", "chunked");
        String chunks = "4001\r\n" + " ".repeat(0x4001) + "\r\n0\r\n\r\n";
        RawAnswer answer = send(new RawRequest("POST", request.target(), request.headers(), ascii(chunks)));
        assertEquals("413 body-too-large", answer.status() + " " + answer.slug());
    }

    @Test
    void reportsAllErrorsOfRequest() {
        RawAnswer answer = send(RawRequest.post("/locks/a?ttl=1").json("{\"ttlMs\":1.5,\"owner\":7}"));
        assertEquals(Set.of("ttl", "ttlMs", "owner"), Set.copyOf(answer.json().findValuesAsText("field")));
    }

    /** An invalid field is missing for the rules that depend on it. */
    @ParameterizedTest
    @CsvSource({
        "DELETE, /locks/a?force=1&reason=r, force",
        "DELETE, /locks/a?force=true&reason=%0a, reason",
        "DELETE, /locks/a?token=short, token",
        "POST, /locks/a?ttlMs=60s&waitMs=40, ttlMs",
        "POST, /locks/a?owner=%0a&mode=shared, owner"
    })
    void reportsNoErrorThatFollowsFromAnother(String method, String path, String field) {
        assertEquals(List.of(field), send(RawRequest.of(method, path)).json().findValuesAsText("field"));
    }

    private void assertHidesSecrets(RawAnswer answer) {
        String all = answer.headers() + answer.body();
        assertFalse(all.contains(BadInput.SECRET), all);
        assertFalse(all.contains("Exception") || all.contains("\tat ") || all.contains("<html"), all);
    }

    private void release(RawAnswer acquired) {
        RawRequest release = RawRequest.delete(acquired.header("Location"))
                .token(acquired.json().get("token").asText());
        assertEquals(204, send(release).status());
    }

    /** Retries if a busy machine reached no majority, which is safe with a chosen token. */
    private void hold(String path, String token) {
        RawRequest acquire = RawRequest.post(path + "?ttlMs=60000").token(token);
        int status = 503;
        for (int i = 0; i < 10 && status == 503; i++) {
            status = send(acquire).status();
        }
        int last = status;
        assertTrue(status == 201 || status == 200, () -> "the lock was not acquired: " + last);
    }

    private RawAnswer send(RawRequest request) {
        return new RawHttp(service).send(request);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
