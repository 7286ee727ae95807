// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quorumlock.testing.Eventually;
import io.vertx.core.Vertx;
import jakarta.inject.Inject;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** A release is carried out if its client disconnects after it has sent the request (L). */
@QuarkusTest
class DisconnectedReleaseTest {
    private static final int CLIENTS = 200;
    private static final String TOKEN = "token-of-a-client-that-disconnects";

    @TestHTTPResource
    URI service;

    @Inject
    Vertx vertx;

    @Test
    @SuppressWarnings("deprecation") // There is no other public way to run a task on every event loop.
    void isCarriedOut() throws IOException {
        List<String> locks = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            String path = "/locks/disconnected/" + i;
            locks.add(path);
            assertEquals(201, send(RawRequest.post(path + "?ttlMs=60000&token=" + TOKEN)));
        }
        List<Socket> sockets = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            sockets.add(new Socket(service.getHost(), service.getPort()));
        }
        // The event loops read each request and the end of its connection together.
        CountDownLatch sent = new CountDownLatch(1);
        vertx.nettyEventLoopGroup().forEach(loop -> loop.execute(() -> await(sent)));
        for (int i = 0; i < CLIENTS; i++) {
            sockets.get(i)
                    .getOutputStream()
                    .write(RawRequest.delete(locks.get(i)).token(TOKEN).wire());
            sockets.get(i).close();
        }
        sent.countDown();
        Eventually.holds(() -> held(locks) + " are held", () -> held(locks).isEmpty());
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private List<String> held(List<String> locks) {
        return locks.stream().filter(path -> send(RawRequest.get(path)) == 200).toList();
    }

    private int send(RawRequest request) {
        return new RawHttp(service).send(request).status();
    }
}
