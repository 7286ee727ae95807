// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.facade;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlock.lock.ResourceName;
import io.quorumlock.rest.ProblemException;
import io.quorumlock.testing.RealLoop;
import io.quorumlock.time.MonotonicClock;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class StateStoreTest {
    @Test
    void endsReadOfStoreThatHangs() throws Exception {
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
            assertEquals(
                    502,
                    HttpClient.newHttpClient()
                            .send(request, BodyHandlers.ofString())
                            .statusCode());
            assertEquals(ProblemException.class, failure.join().getClass());
        }
    }
}
