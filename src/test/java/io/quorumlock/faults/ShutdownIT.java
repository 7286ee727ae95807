// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.testing.Background;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.LockClient;
import io.quorumlock.testing.LockClient.Answer;
import io.quorumlock.testing.RedisServer;
import io.quorumlock.testing.RedisServers;
import io.quorumlock.testing.ServiceProcess;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The effects of SIGTERM on present and new requests. */
class ShutdownIT {
    /** The name of the framework's readiness check. */
    private static final String SHUTDOWN_CHECK = "Graceful Shutdown";

    private final List<RedisServer> masters = RedisServers.start(3);

    @AfterEach
    void stop() {
        masters.forEach(RedisServer::resume);
        RedisServers.close(masters);
    }

    /** The order that load balancers and clients need. One incomplete request keeps the service running. */
    @Test
    void becomesUnreadyThenRejectsNewRequestsThenAnswersOthers() throws IOException {
        try (ServiceProcess service = service("2s");
                Socket half = new Socket("127.0.0.1", service.uri().getPort())) {
            LockClient client = service.client();
            send(half, "POST /locks/shutdown/half HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{");
            service.terminate();
            Eventually.holds(service::output, () -> isShuttingDown(client));
            assertEquals(201, client.acquire("shutdown/known-too-late", 60_000).status());
            Eventually.holds(service::output, () -> isRefused(client.get("/locks/shutdown/new")));
            assertTrue(isRefused(client.release("shutdown/known-too-late", "a-token-of-nobody")));
            send(half, "}");
            String answer = new String(half.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            assertTrue(answer.startsWith("HTTP/1.1 503 ") && answer.contains("shutting-down"), answer);
            service.exitCode();
        }
    }

    @Test
    void answersAcquireInFlight() {
        try (ServiceProcess service = service("0s")) {
            LockClient client = service.client();
            masters.forEach(RedisServer::suspend);
            CompletableFuture<Answer> inFlight = Background.supply(() -> client.acquire("shutdown/under-way", 60_000));
            Eventually.holds("in flight", () -> client.metric("quorumlock_requests_in_flight") == 1);
            service.terminate();
            masters.forEach(RedisServer::resume);
            assertEquals(201, inFlight.join().status(), service::output);
            service.exitCode();
        }
    }

    private ServiceProcess service(String notice) {
        return ServiceProcess.startReady(Map.of(
                "QUORUMLOCK_NODES",
                ServiceProcess.nodes(masters),
                "QUORUMLOCK_NODE_TIMEOUT",
                "50s",
                "QUORUMLOCK_TTL_DEFAULT",
                "60s",
                "QUARKUS_SHUTDOWN_DELAY",
                notice));
    }

    private static boolean isShuttingDown(LockClient client) {
        Answer readiness = client.get("/q/health/ready");
        return readiness.status() == 503 && readiness.response().body().contains(SHUTDOWN_CHECK);
    }

    private static boolean isRefused(Answer answer) {
        return answer.status() == 503 && answer.problem().equals("shutting-down");
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }
}
