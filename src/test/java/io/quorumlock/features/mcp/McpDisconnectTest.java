// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.mcp;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.quorumlock.testing.Eventually;
import io.restassured.RestAssured;
import io.vertx.core.Vertx;
import jakarta.inject.Inject;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** The lease of an agent that disconnects before it learns the token is taken back (R11). */
@QuarkusTest
@TestProfile(McpProfile.class)
class McpDisconnectTest {
    private static final McpAgent ALICE = new McpAgent(McpProfile.ALICE);
    private static final int CLIENTS = 100;

    @TestHTTPResource
    URI service;

    @Inject
    Vertx vertx;

    @Test
    @SuppressWarnings("deprecation") // There is no other public way to run a task on every event loop.
    void takesLeaseBack() throws IOException {
        List<Socket> sockets = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            sockets.add(new Socket(service.getHost(), service.getPort()));
        }
        double before = granted();
        // The event loops read each request and the end of its connection together.
        CountDownLatch sent = new CountDownLatch(1);
        vertx.nettyEventLoopGroup().forEach(loop -> loop.execute(() -> await(sent)));
        for (int i = 0; i < CLIENTS; i++) {
            sockets.get(i).getOutputStream().write(acquire(i));
            sockets.get(i).close();
        }
        sent.countDown();
        Eventually.holds("granted", () -> granted() >= before + CLIENTS / 2.0);
        Eventually.holds(() -> held() + " are held", () -> held() == 0);
    }

    private static byte[] acquire(int client) {
        String body =
                """
                {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "acquire", "arguments":
                 {"names": ["disconnected/%d"], "agent": "a", "note": "n"}}}
                """
                        .formatted(client);
        String head =
                """
                POST /mcp HTTP/1.1\r
                Host: localhost\r
                Authorization: Bearer %s\r
                Content-Length: %d\r
                \r
                """
                        .formatted(McpProfile.ALICE, body.length());
        return (head + body).getBytes(StandardCharsets.US_ASCII);
    }

    private static int held() {
        return ALICE.done("list", "{\"prefix\": \"disconnected/\"}")
                .path("locks")
                .size();
    }

    private static double granted() {
        String sample = "quorumlock_acquire_seconds_count{outcome=\"acquired\"} ";
        return RestAssured.get("/q/metrics")
                .asString()
                .lines()
                .filter(line -> line.startsWith(sample))
                .mapToDouble(line -> Double.parseDouble(line.substring(sample.length())))
                .sum();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
