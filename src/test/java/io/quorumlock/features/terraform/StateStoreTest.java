// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.terraform;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.loop.MonotonicClock;
import io.quorumlock.http.ProblemException;
import io.quorumlock.testing.Certificate;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.RealLoop;
import io.quorumlock.testing.TlsProxy;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class StateStoreTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final String STATE = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nzip";

    private static final int CONNECTIONS = 100;

    private final RealLoop loop = new RealLoop();
    private final CompletableFuture<Throwable> failure = new CompletableFuture<>();

    @AfterEach
    void stop() {
        loop.close();
    }

    @Test
    void endsReadOfStoreThatHangs() throws Exception {
        try (RawStore hanging = new RawStore(0, "", new CountDownLatch(1))) {
            assertEquals(
                    502,
                    read(hanging.uri(), Optional.empty(), Duration.ofSeconds(1)).statusCode());
            assertEquals(ProblemException.class, failure.join().getClass());
        }
    }

    /** Readers that are slow, or many, get errors before they fill the memory. */
    @Test
    void slowReadersDelayNoSave() throws Exception {
        Queue<HttpServerResponse> reads = new ConcurrentLinkedQueue<>();
        AtomicInteger refused = new AtomicInteger();
        MonotonicClock clock = loop.engineContext.clock();
        URI behind = loop.serve(request -> {
            if (request.request().method() == HttpMethod.GET) {
                reads.add(request.response());
            } else {
                request.response().end();
            }
        });
        StateStore store = new StateStore(behind, Optional.empty(), clock, loop.vertx);
        URI service = loop.serve(request -> {
            request.request().pause();
            store.forward(new ResourceName("a"), request, clock.now().plus(Duration.ofMinutes(1)))
                    .onFailure(failure -> request.response().setStatusCode(502).end());
        });
        io.vertx.core.http.HttpClient clients =
                loop.vertx.createHttpClient(new HttpClientOptions().setMaxPoolSize(4 * CONNECTIONS));
        Runnable read = () -> clients.request(HttpMethod.GET, service.getPort(), service.getHost(), "/")
                .compose(HttpClientRequest::send)
                .onSuccess(answer -> refused.addAndGet(answer.statusCode() == 502 ? 1 : 0));
        IntStream.range(0, CONNECTIONS).forEach(reader -> read.run());
        Eventually.within(PATIENCE, () -> reads.size() + " reads", () -> reads.size() == CONNECTIONS);
        IntStream.range(0, 2 * CONNECTIONS + 7).forEach(reader -> read.run());
        Eventually.within(PATIENCE, () -> refused + " refused", () -> refused.get() == 7);
        HttpRequest save = HttpRequest.newBuilder(service)
                .timeout(PATIENCE)
                .POST(BodyPublishers.ofString("{}"))
                .build();
        assertEquals(
                200,
                HttpClient.newHttpClient().send(save, BodyHandlers.ofString()).statusCode());
        assertEquals(CONNECTIONS, reads.size());
    }

    /** A store that compresses all states does so although it is asked not to. */
    @Test
    void passesEncodingOn() throws Exception {
        try (RawStore store = new RawStore(0, STATE)) {
            HttpResponse<String> answer = read(store.uri(), Optional.empty(), PATIENCE);
            assertEquals("zip", answer.body());
            assertEquals(Optional.of("gzip"), answer.headers().firstValue("Content-Encoding"));
            assertTrue(store.requests.get(0).contains("accept-encoding: identity"), store.requests::toString);
        }
    }

    @Test
    void trustsOnlyCertificatesOfItsFile(@TempDir Path folder) throws Exception {
        Certificate certificate = Certificate.of("localhost", folder);
        List<String> lines = new CopyOnWriteArrayList<>();
        Handler log = handler(lines);
        Logger.getLogger(StateStore.class.getName()).addHandler(log);
        try (RawStore store = new RawStore(0, STATE);
                TlsProxy proxy = new TlsProxy(store.uri(), certificate)) {
            assertEquals(
                    200,
                    read(https(proxy), Optional.of(certificate.pem()), PATIENCE).statusCode());
            assertEquals(502, read(https(proxy), Optional.empty(), PATIENCE).statusCode());
            assertTrue(
                    lines.stream().anyMatch(line -> line.contains("unable to find valid certification path")),
                    lines::toString);
        } finally {
            Logger.getLogger(StateStore.class.getName()).removeHandler(log);
        }
    }

    private static URI https(TlsProxy proxy) {
        return URI.create("https://localhost:" + proxy.url("localhost").getPort());
    }

    private HttpResponse<String> read(URI url, Optional<Path> caFile, Duration most) throws Exception {
        MonotonicClock clock = loop.engineContext.clock();
        StateStore store = new StateStore(url, caFile, clock, loop.vertx);
        URI service = loop.serve(request -> store.forward(
                        new ResourceName("a"), request, clock.now().plus(most))
                .onFailure(failure::complete)
                .onFailure(end -> request.response().setStatusCode(502).end()));
        return HttpClient.newHttpClient().send(HttpRequest.newBuilder(service).build(), BodyHandlers.ofString());
    }

    private static Handler handler(List<String> lines) {
        return new Handler() {
            @Override
            public void publish(LogRecord line) {
                lines.add(String.format(line.getMessage(), line.getParameters()));
            }

            @Override
            public void flush() {
                // Nothing is buffered.
            }

            @Override
            public void close() {
                // Nothing is open.
            }
        };
    }
}
