// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.LockClient;
import io.quorumlock.testing.RealLoop;
import io.quorumlock.testing.StreamClient;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.StreamResetException;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Requests that clients send to disturb the service, or that end before they are handled. */
@QuarkusTest
class HostileRequestsTest {
    private static final int MANY = 20;

    @TestHTTPResource
    URI service;

    /** N, L1: the client sends its body and resets the connection at once. */
    @ParameterizedTest
    @CsvSource({
        "quorumlock_event_streams, GET /events, {}",
        "quorumlock_event_streams, GET /events?name=reset/watched, {}",
        "quorumlock_sessions, POST /sessions/reset/%d, '{\"ttlMs\":6000}'"
    })
    void streamsOfClientsThatAreGoneLeaveNothingBehind(String metric, String line, String body) throws IOException {
        for (int i = 0; i < MANY; i++) {
            try (Socket socket = new Socket(service.getHost(), service.getPort())) {
                socket.setSoLinger(true, 0);
                String request = line.formatted(i) + " HTTP/1.1\r\nHost: x\r\nContent-Length: " + body.length()
                        + "\r\n\r\n" + body;
                socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            }
        }
        new RawHttp(service).send(RawRequest.get("/locks/reset/none"));
        new RawHttp(service).send(RawRequest.post("/locks/reset/after?ttlMs=6000"));
        Eventually.holds(() -> metric + " " + client().metric(metric), () -> client().metric(metric) == 0);
    }

    @ParameterizedTest
    @CsvSource({
        "/elsewhere?%zz, X: x, not-found",
        "/lock/a?token=a-token-in-a-wrong-path%, X: x, not-found",
        "/elsewhere, Accept: x, not-found",
        "/openapi.yaml, Range: bytes=5-1, ''",
        "/locks/free, Lock-Token: a-token-that-is-not-needed, lease-not-found"
    })
    void answersOddRequestsWithoutServerError(String target, String header, String slug) {
        String[] parts = header.split(": ");
        RawAnswer answer = new RawHttp(service).send(RawRequest.get(target).header(parts[0], parts[1]));
        assertTrue(answer.status() < 500, answer::body);
        if (!slug.isEmpty()) {
            assertEquals(slug, answer.slug());
        }
    }

    /** The server library resets the stream, or replaces a size that is written twice. The filter of large bodies relies on that. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "abc | reset",
                "-1 | reset",
                "+2 | reset",
                "99999999999999999999 | reset",
                "'' | reset",
                "2, 3 | reset",
                "2, 2 | 404"
            })
    void handlesOddSizesOverHttp2(String size, String expected) {
        try (StreamClient http = new StreamClient(service, 1)) {
            String answer = RealLoop.await(http.open(HttpMethod.DELETE, "/locks/hostile/size")
                    .compose(request -> request.putHeader("Lock-Token", "a-token-of-no-lease")
                            .putHeader(HttpHeaders.CONTENT_LENGTH, size)
                            .send("{}"))
                    .map(response -> "" + response.statusCode())
                    .otherwise(failure -> failure instanceof StreamResetException ? "reset" : failure.toString())
                    .toCompletionStage()
                    .toCompletableFuture());
            assertEquals(expected, answer);
        }
    }

    private LockClient client() {
        return new LockClient(service);
    }
}
