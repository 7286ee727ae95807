// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quorumlock.testing.EventReader;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.LockClient;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Sessions over real HTTP and real Redis. */
@QuarkusTest
class SessionsTest {
    private static final int MOST_SESSIONS = 210;
    /** A busy machine may give no majority at first. */
    private static final String PATIENT = "?waitMs=10000&";

    private static final String MANY = "token-of-session-number-";
    private static final String LOCK = "/locks/sessions/";
    private static final String SESSION = "/sessions/sessions/";

    private final OpenApiContract contract = OpenApiContract.load();

    @TestHTTPResource
    URI service;

    /** N */
    @AfterEach
    void nothingIsLeft() {
        Eventually.holds("no sessions", () -> metric("quorumlock_sessions") == 0);
    }

    @Test
    void reportsLeaseAndEachExtension() {
        try (EventReader events = open("one?ttlMs=4000&owner=me")) {
            assertEquals("HTTP/1.1 200 OK", events.next(line -> true));
            JsonNode lease = json("Lease", events.data("lease"));
            JsonNode first = json("SessionExtended", events.data("extended"));
            JsonNode second = json("SessionExtended", events.data("extended"));
            assertEquals(lease.get("fencingToken"), first.get("fencingToken"));
            assertFalse(second.has("extensionsLeft"), second::toString);
            assertTrue(second.get("elapsedMs").asLong() > first.get("elapsedMs").asLong());
            client().release("sessions/one", lease.get("token").asText());
            json("SessionLost", events.data("lost"));
        }
        Map<String, String> headers = Map.of("Content-Type", "text/event-stream", "Cache-Control", "no-store");
        contract.check("POST", SESSION + "one", 200, headers, "");
    }

    @Test
    @Tag("nightly")
    void stopsExtendingWhenClientDisconnects() {
        try (EventReader events = open("three?ttlMs=4000")) {
            events.data("extended");
        }
        double gone = ended("gone");
        Eventually.holds("free", () -> isFree("three"));
        assertTrue(ended("gone") >= Math.max(1, gone));
    }

    @Test
    void refusesLockOfAnotherHolder() {
        String token = client().acquire("sessions/six", 60_000).token();
        expect(423, "locked", RawRequest.post(SESSION + "six?waitMs=1000"));
        client().release("sessions/six", token);
    }

    @Test
    void reportsBrokenLockAsLost() {
        try (EventReader events = open("seven?ttlMs=4000")) {
            String token = json("Lease", events.data("lease")).get("token").asText();
            Eventually.holds(
                    "broken",
                    () -> client().force("sessions/seven", "test", "sessions").status() == 204);
            String lost = events.data("lost");
            assertEquals("{\"reason\":\"lost\"}", lost);
            assertFalse(lost.contains(token));
        }
    }

    @Test
    void opensWaitingSessionAfterRelease() {
        String token = client().acquire("sessions/eight", 60_000).token();
        try (EventReader events = open("eight?ttlMs=4000")) {
            Eventually.holds("waits", () -> metric("quorumlock_waiters") == 1);
            client().release("sessions/eight", token);
            events.data("lease");
        }
    }

    /** R14 */
    @Test
    void sessionsAreBoundedAndLeaveNothingBehind() {
        List<EventReader> readers = new ArrayList<>();
        IntStream.range(0, MOST_SESSIONS)
                .forEach(i -> readers.add(open("many/" + i + "?ttlMs=40000&token=" + MANY + i)));
        Eventually.holds("all are open", () -> metric("quorumlock_sessions") == MOST_SESSIONS);
        try {
            readers.forEach(reader -> reader.data("lease"));
            expect(429, "too-many-sessions", RawRequest.post(SESSION + "many/more"));
        } finally {
            readers.forEach(EventReader::close);
        }
        Eventually.holds("all are over", () -> metric("quorumlock_sessions") == 0);
        IntStream.range(0, MOST_SESSIONS).forEach(i -> client().release("sessions/many/" + i, MANY + i));
        Eventually.holds("all are free", () -> listed("sessions/many/") == 0);
    }

    private EventReader open(String resourceAndQuery) {
        return EventReader.post(service, SESSION + resourceAndQuery.replaceFirst("\\?", PATIENT));
    }

    private void expect(int status, String slug, RawRequest request) {
        RawAnswer answer = new RawHttp(service).send(request);
        assertEquals(status + slug, answer.status() + answer.slug(), answer::body);
        contract.check(request, answer);
    }

    private JsonNode json(String schema, String text) {
        JsonNode json = new RawAnswer(200, Map.of(), text).json();
        contract.check(schema, json);
        return json;
    }

    private boolean isFree(String resource) {
        return client().get(LOCK + resource).status() == 404;
    }

    private int listed(String prefix) {
        return client().get("/locks?prefix=" + prefix).body().get("locks").size();
    }

    private double ended(String reason) {
        return metric("quorumlock_sessions_ended_total{reason=\"" + reason + "\"}");
    }

    private int metric(String name) {
        return client().metric(name);
    }

    private LockClient client() {
        return new LockClient(service);
    }
}
