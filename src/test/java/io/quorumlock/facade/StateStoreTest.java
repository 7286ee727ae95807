// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.facade;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlock.lock.ResourceName;
import io.quorumlock.rest.ProblemException;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.RealLoop;
import io.quorumlock.time.MonotonicClock;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StateStoreTest {
    private static final int CONNECTIONS = 100;
    private static final Duration LIMIT = Duration.ofSeconds(20);

    /** Readers that are slow, or many, get errors before they fill the memory. */
    @Test
    void slowReadersDelayNoSave() {
        Queue<HttpServerResponse> reads = new ConcurrentLinkedQueue<>();
        AtomicInteger refused = new AtomicInteger();
        try (RealLoop loop = new RealLoop()) {
            MonotonicClock clock = loop.engineContext.clock();
            URI behind = loop.serve(request -> {
                if (request.request().method() == HttpMethod.GET) {
                    reads.add(request.response());
                } else {
                    request.response().end();
                }
            });
            StateStore store = new StateStore(behind, clock, loop.vertx);
            URI service = loop.serve(request -> {
                request.request().pause();
                store.forward(new ResourceName("a"), request, clock.now().plus(Duration.ofMinutes(1)))
                        .onFailure(
                                failure -> request.response().setStatusCode(502).end());
            });
            io.vertx.core.http.HttpClient clients =
                    loop.vertx.createHttpClient(new HttpClientOptions().setMaxPoolSize(4 * CONNECTIONS));
            Runnable read = () -> clients.request(HttpMethod.GET, service.getPort(), service.getHost(), "/")
                    .compose(HttpClientRequest::send)
                    .onSuccess(answer -> refused.addAndGet(answer.statusCode() == 502 ? 1 : 0));
            IntStream.range(0, CONNECTIONS).forEach(reader -> read.run());
            Eventually.within(LIMIT, () -> reads.size() + " reads", () -> reads.size() == CONNECTIONS);
            IntStream.range(0, 2 * CONNECTIONS + 7).forEach(reader -> read.run());
            Eventually.within(LIMIT, () -> refused + " refused", () -> refused.get() == 7);
            HttpRequest save = HttpRequest.newBuilder(service)
                    .timeout(LIMIT)
                    .POST(BodyPublishers.ofString("{}"))
                    .build();
            assertEquals(200, send(save));
            assertEquals(CONNECTIONS, reads.size());
        }
    }

    private static int send(HttpRequest request) {
        try {
            return HttpClient.newHttpClient()
                    .send(request, BodyHandlers.ofString())
                    .statusCode();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void endsReadOfStoreThatHangs() {
        CompletableFuture<Throwable> failure = new CompletableFuture<>();
        try (RealLoop loop = new RealLoop();
                RawStore hanging = new RawStore(0, "", new CountDownLatch(1))) {
            MonotonicClock clock = loop.engineContext.clock();
            StateStore store = new StateStore(hanging.uri(), clock, loop.vertx);
            URI service = loop.serve(request -> store.forward(
                            new ResourceName("a"), request, clock.now().plus(Duration.ofSeconds(1)))
                    .onFailure(failure::complete)
                    .onFailure(end -> request.response().setStatusCode(502).end()));
            HttpRequest request = HttpRequest.newBuilder(service).build();
            assertEquals(502, send(request));
            assertEquals(ProblemException.class, failure.join().getClass());
        }
    }
}
