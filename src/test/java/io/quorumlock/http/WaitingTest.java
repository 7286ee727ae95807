// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quorumlock.testing.Background;
import io.quorumlock.testing.Eventually;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Waiting over real HTTP and real Redis. */
@QuarkusTest
class WaitingTest {

    private final OpenApiContract contract = OpenApiContract.load();

    @TestHTTPResource
    URI service;

    @Test
    void waiterAcquiresReleasedLock() {
        String lock = "/locks/waiting/released";
        String token = token(expect(201, RawRequest.post(lock)));
        CompletableFuture<RawAnswer> waiting =
                Background.supply(() -> expect(201, RawRequest.post(lock + "?waitMs=10000")));
        Eventually.holds("one waiter", () -> waiters(lock) == 1);
        expect(204, RawRequest.delete(lock).token(token));
        waiting.orTimeout(Eventually.LONGEST.toMillis(), TimeUnit.MILLISECONDS).join();
    }

    /** R11: a release takes effect once it arrived, even if its client disconnects. */
    @Test
    void completesReleaseOfDisconnectedClient() throws IOException {
        String lock = "/locks/waiting/hung-up";
        String token = token(expect(201, RawRequest.post(lock)));
        for (int i = 0; i < 20; i++) {
            CompletableFuture<RawAnswer> waiting =
                    Background.supply(() -> expect(201, RawRequest.post(lock + "?waitMs=10000")));
            Eventually.holds("one waiter", () -> waiters(lock) == 1);
            sendAndDisconnect("DELETE " + lock + " HTTP/1.1\r\nHost: x\r\nLock-Token: " + token + "\r\n\r\n");
            token = token(waiting.orTimeout(Eventually.LONGEST.toMillis(), TimeUnit.MILLISECONDS)
                    .join());
        }
    }

    private void sendAndDisconnect(String request) throws IOException {
        try (Socket socket = new Socket(service.getHost(), service.getPort())) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        }
    }

    /** The holder's deadline is {@code sent + elapsedMs + validityMs}, including the wait. */
    @Test
    void leaseContainsWaitingTime() {
        String lock = "/locks/waiting/counted";
        String token = token(expect(201, RawRequest.post(lock)));
        long sent = System.nanoTime();
        CompletableFuture<RawAnswer> waiting =
                Background.supply(() -> expect(201, RawRequest.post(lock + "?waitMs=10000")));
        Eventually.holds("one waiter", () -> waiters(lock) == 1);
        long waits = System.nanoTime();
        Eventually.holds("a wait of 250 ms", () -> System.nanoTime() - waits > TimeUnit.MILLISECONDS.toNanos(250));
        expect(204, RawRequest.delete(lock).token(token));
        RawAnswer lease = waiting.join();
        long roundTrip = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - sent);
        long elapsed = lease.json().get("elapsedMs").asLong();
        assertTrue(elapsed <= roundTrip, () -> elapsed + " of " + roundTrip + " ms");
        assertTrue(elapsed >= 250, () -> elapsed + " of " + roundTrip + " ms");
    }

    @Test
    void refusalContainsWaitingTime() {
        String lock = "/locks/waiting/in-vain";
        expect(201, RawRequest.post(lock));
        RawAnswer answer = expect(423, RawRequest.post(lock).json("{\"waitMs\":50}"));
        assertTrue(answer.json().get("waitedMs").asLong() >= 50, answer::body);
    }

    /** The client cannot know the limit of the service. */
    @Test
    void acceptsWaitsOverTheLimit() {
        expect(201, RawRequest.post("/locks/waiting/long?waitMs=3600000"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "1.5", "1e3", "soon"})
    void rejectsInvalidWaits(String wait) {
        RawAnswer answer = expect(400, RawRequest.post("/locks/waiting/bad?waitMs=" + wait));
        assertEquals("waitMs", answer.json().at("/errors/0/field").asText());
    }

    private int waiters(String lock) {
        return expect(200, RawRequest.get(lock)).json().get("waiters").asInt();
    }

    private static String token(RawAnswer lease) {
        return lease.json().get("token").asText();
    }

    private RawAnswer expect(int status, RawRequest request) {
        RawAnswer answer = new RawHttp(service).send(request);
        assertEquals(status, answer.status(), answer::body);
        contract.check(request, answer);
        return answer;
    }
}
