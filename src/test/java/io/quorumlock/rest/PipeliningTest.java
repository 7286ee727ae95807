// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quorumlock.testing.Eventually;
import io.vertx.core.Vertx;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.PoolOptions;
import jakarta.inject.Inject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** R14: clients that send many requests on one connection without reading the answers. */
@QuarkusTest
class PipeliningTest {
    private static final int MANY = 3_000;
    private static final int MANY_SMALL = 80_000;
    private static final int MANY_STREAMS = 100;
    private static final int STANDSTILL_POLLS = 50;
    private static final Duration SOON = Duration.ofSeconds(30);

    @TestHTTPResource
    URI service;

    @Inject
    MeterRegistry meters;

    @Test
    void answersAllInOrder() throws IOException {
        try (Socket socket = new Socket(service.getHost(), service.getPort())) {
            StringBuilder requests = new StringBuilder();
            for (int i = 0; i < MANY; i++) {
                String body = "{\"ttlMs\":100}";
                requests.append(i % 2 == 0 ? "GET" : "POST")
                        .append(" /locks/pipelined/")
                        .append(i)
                        .append(" HTTP/1.1\r\nHost: x\r\n")
                        .append(i % 2 == 0 ? "\r\n" : "Content-Length: " + body.length() + "\r\n\r\n" + body);
            }
            CompletableFuture<Void> sent = CompletableFuture.runAsync(() -> write(socket, requests.toString()));
            BufferedReader reader =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            for (int i = 0; i < MANY; i++) {
                assertEquals(i % 2 == 0 ? "404" : "201", nextStatus(reader), "answer " + i);
            }
            sent.join();
        }
    }

    /** The answers are far larger than the buffers of the socket. */
    @Test
    void handlesNoMoreRequestsThanTheirClientReads() throws IOException {
        try (Socket socket = new Socket(service.getHost(), service.getPort())) {
            socket.setReceiveBufferSize(64 * 1024);
            long before = handled();
            String request = "GET /openapi.yaml HTTP/1.1\r\nHost: x\r\n\r\n";
            CompletableFuture.runAsync(() -> write(socket, request.repeat(MANY)));
            awaitStandstill();
            long unread = handled() - before;
            assertTrue(unread < MANY / 4, () -> unread + " requests were handled");
            assertEquals(
                    200,
                    new RawHttp(service).send(RawRequest.get("/q/health/live")).status());
            AtomicInteger answers = new AtomicInteger();
            BufferedReader reader =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            while (answers.get() < MANY) {
                assertEquals("200", nextStatus(reader));
                answers.incrementAndGet();
            }
        }
    }

    /** The router answers these without {@link RequestFilter}. */
    @ParameterizedTest
    @CsvSource({"OPTIONS, *, x", "GET, /locks/x, x{"})
    void handlesNoMoreInvalidRequestsThanTheirClientReads(String method, String target, String host)
            throws IOException {
        try (Socket socket = new Socket(service.getHost(), service.getPort())) {
            socket.setReceiveBufferSize(64 * 1024);
            long before = handled();
            String request = method + " " + target + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n";
            CompletableFuture.runAsync(() -> write(socket, request.repeat(MANY_SMALL)));
            awaitStandstill();
            long unread = handled() - before;
            assertTrue(unread < MANY_SMALL / 2, () -> unread + " requests were handled");
        }
    }

    /** A client of HTTP/2 that opens no window for the answers. Headers need none. */
    @Test
    void rejectsLargeAnswersThatHttp2ClientDoesNotRead() {
        Vertx vertx = Vertx.vertx();
        HttpClientOptions options = new HttpClientOptions()
                .setProtocolVersion(HttpVersion.HTTP_2)
                .setHttp2ClearTextUpgrade(false)
                .setInitialSettings(new Http2Settings().setInitialWindowSize(0));
        HttpClient client = vertx.createHttpClient(options, new PoolOptions().setHttp2MaxSize(1));
        try {
            List<CompletableFuture<Integer>> statuses = IntStream.range(0, MANY_STREAMS)
                    .mapToObj(i -> client.request(HttpMethod.GET, service.getPort(), service.getHost(), "/q/metrics")
                            .compose(HttpClientRequest::send)
                            .map(answer -> answer.exceptionHandler(closedAtTheEnd -> {})
                                    .statusCode())
                            .toCompletionStage()
                            .toCompletableFuture())
                    .toList();
            Map<Integer, Long> counts = statuses.stream()
                    .map(CompletableFuture::join)
                    .collect(Collectors.groupingBy(status -> status, Collectors.counting()));
            assertEquals(Map.of(200, (long) UnreadAnswers.MAX, 429, (long) MANY_STREAMS - UnreadAnswers.MAX), counts);
        } finally {
            vertx.close().toCompletionStage().toCompletableFuture().join();
        }
    }

    private void awaitStandstill() {
        long[] last = {0};
        AtomicInteger unchanged = new AtomicInteger();
        Eventually.within(SOON, "no further request is handled", () -> {
            long now = handled();
            unchanged.set(now == last[0] ? unchanged.get() + 1 : 0);
            last[0] = now;
            return now > 0 && unchanged.get() >= STANDSTILL_POLLS;
        });
    }

    private long handled() {
        return meters.find("http.server.requests").timers().stream()
                .mapToLong(timer -> timer.count())
                .sum();
    }

    private static String nextStatus(BufferedReader reader) throws IOException {
        String line = reader.readLine();
        while (line != null && !line.startsWith("HTTP/1.1 ")) {
            int next = line.indexOf("HTTP/1.1 ");
            if (next >= 0) {
                line = line.substring(next);
                break;
            }
            line = reader.readLine();
        }
        return line == null ? "end of connection" : line.split(" ")[1];
    }

    private static void write(Socket socket, String text) {
        try {
            OutputStream stream = socket.getOutputStream();
            stream.write(text.getBytes(StandardCharsets.US_ASCII));
        } catch (IOException closed) {
            // The test has ended.
        }
    }
}
