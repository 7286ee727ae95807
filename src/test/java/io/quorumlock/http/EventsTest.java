// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quorumlock.testing.Background;
import io.quorumlock.testing.EventReader;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.LockClient;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Streams of events over real HTTP and real Redis. */
@QuarkusTest
class EventsTest {
    private static final int MOST_STREAMS = 210;

    private final OpenApiContract contract = OpenApiContract.load();

    @TestHTTPResource
    URI service;

    @Test
    void reportsEventsInOrder() {
        try (EventReader events = new EventReader(service, "/events?name=events-of/one")) {
            listened(events, "events-of/one");
            String token = client().acquire("events-of/one?owner=me", 20_000).token();
            String acquired = events.next(line -> line.contains("\"owner\":\"me\""));
            assertTrue(acquired.contains("{\"kind\":\"acquired\",\"resource\":\"events-of/one\",\"owner\""), acquired);
            client().extend("events-of/one", token);
            events.nextStarting("event: extended");
            client().release("events-of/one", token);
            assertTrue(events.nextStarting("id: ").matches("id: \\d+-released-\\d+"));
            assertFalse(acquired.contains(token), acquired);
        }
    }

    @Test
    void reportsHowLongReleasedLockIsKept() {
        try (EventReader events = new EventReader(service, "/events?name=events-of/kept")) {
            listened(events, "events-of/kept");
            String token = client().acquire("events-of/kept", 20_000).token();
            client().release("events-of/kept?keepMs=5000", token);
            events.next(line -> line.contains("\"kind\":\"released\"") && line.contains("\"ttlMs\":5000"));
        }
    }

    @Test
    void reportsExpiredAndBrokenLocks() {
        try (EventReader events = new EventReader(service, "/events?prefix=events-of/t")) {
            listened(events, "events-of/two");
            client().acquire("events-of/two", 3_000);
            events.nextStarting("event: expired");
            client().acquire("events-of/two", 20_000);
            client().force("events-of/two", "test", "events");
            events.nextStarting("event: broken");
        }
    }

    @Test
    void treatsPrefixLiterally() {
        try (EventReader events = new EventReader(service, "/events?prefix=events-of/%2A")) {
            listened(events, "events-of/*");
            client().acquire("events-of/starless", 6_000);
            client().acquire("events-of/*x".replace("*", "%2A"), 6_000);
            String next = events.next(line -> line.startsWith("data: ") && !line.contains("events-of/*\""));
            assertTrue(next.contains("\"events-of/*x\""), next);
        }
    }

    @Test
    void sendsCommentsWithoutEvents() {
        try (EventReader events = new EventReader(service, "/events?name=events-of/nothing")) {
            assertEquals("HTTP/1.1 200 OK", events.next(line -> true));
            events.nextStarting(": nothing happened");
            events.nextStarting(": nothing happened");
        }
        contract.check(
                "GET",
                "/events?name=x",
                200,
                Map.of("Content-Type", "text/event-stream", "Cache-Control", "no-store"),
                "");
        assertNoStreams();
    }

    @Test
    void streamsAreBoundedAndLeaveNothingBehind() {
        List<EventReader> readers = new ArrayList<>();
        IntStream.range(0, MOST_STREAMS).forEach(i -> readers.add(new EventReader(service, "/events")));
        Eventually.holds("all are open", () -> streams() == MOST_STREAMS);
        RawRequest request = RawRequest.get("/events");
        RawAnswer answer = new RawHttp(service).send(request);
        readers.forEach(EventReader::close);
        assertEquals("too-many-streams", answer.slug());
        contract.check(request, answer);
        assertNoStreams();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/events?x=1",
                "/events?prefix=//",
                "/events?prefix=a&prefix=b",
                "/events?name=a&prefix=a",
                "/events?name=a&name=b",
                "/events?name="
            })
    void rejectsInvalidRequests(String target) {
        RawRequest request = RawRequest.get(target);
        RawAnswer answer = new RawHttp(service).send(request);
        assertEquals("invalid-request", answer.slug());
        contract.check(request, answer);
    }

    @Test
    void opensStreamsOnlyWithGet() {
        Stream.of("/events", "/events?name=a").forEach(path -> Stream.of("POST", "PUT", "DELETE")
                .forEach(method -> assertEquals(
                        "GET",
                        new RawHttp(service).send(RawRequest.of(method, path)).header("Allow"))));
    }

    /** The replicas learn within about a second that somebody listens: locks until that is so. */
    private void listened(EventReader events, String resource) {
        String name = resource.replace("*", "%2A");
        AtomicBoolean told = new AtomicBoolean();
        CompletableFuture<Void> locking = Background.run(() -> {
            while (!told.get()) {
                client().release(name, client().acquire(name, 20_000).token());
            }
        });
        events.nextStarting("event: acquired");
        told.set(true);
        locking.join();
    }

    private void assertNoStreams() {
        Eventually.holds("no streams", () -> streams() == 0);
    }

    private int streams() {
        return client().metric("quorumlock_event_streams");
    }

    private LockClient client() {
        return new LockClient(service);
    }
}
