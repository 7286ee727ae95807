// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.terraform;

import static io.quorumlock.features.terraform.TerraformReplicas.expect;
import static io.quorumlock.features.terraform.TerraformReplicas.run;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.embedded.FreePorts;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.RedisServer;
import io.quorumlock.testing.RedisServers;
import io.quorumlock.testing.ServiceProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Stores of states that work in an unusual way, or fail. */
class TerraformStoreIT {
    private static final String SAVED = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
    private static final String FAILED = "the store of states failed";

    private static List<RedisServer> masters;
    private static ServiceProcess service;
    private static int port;

    private final TerraformRun run = run(service, "");

    @BeforeAll
    static void start() {
        masters = RedisServers.start(5);
        port = FreePorts.find(1).get(0);
        service = ServiceProcess.startReady(Map.of(
                "QUORUMLOCK_NODES",
                ServiceProcess.nodes(masters),
                "QUORUMLOCK_TTL_MAX",
                "1h",
                "QUORUMLOCK_TERRAFORM_ENABLED",
                "true",
                "QUORUMLOCK_TERRAFORM_STATE_URL",
                "http://127.0.0.1:" + port + "/below"));
    }

    @AfterAll
    static void stop() {
        String log = service.output();
        service.close();
        RedisServers.close(masters);
        assertFalse(log.contains(" ERROR "), log);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "garbage\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-",
                "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n{}",
                "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{}",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{}",
                "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1 203 Elsewhere\r\nContent-Length: 2\r\n\r\n{}",
                "HTTP/1.1 206 Partial Content\r\nContent-Length: 2\r\n\r\n{}"
            })
    void failedStoreChangesNothing(String answer) {
        expect(200, run.lock());
        try (RawStore store = new RawStore(port, answer)) {
            assertFails(() -> run.save("{}"));
            assertFails(run::read);
            assertEquals(2, store.requests.size());
        }
        assertLockIsKept();
    }

    @Test
    void storeThatRefusesConnectionsChangesNothing() {
        expect(200, run.lock());
        assertFails(() -> run.save("{}"));
        assertFails(run::read);
        assertLockIsKept();
    }

    /** The run has 502, or an answer that ends too early. */
    private static void assertFails(Supplier<HttpResponse<String>> request) {
        long failures = failures();
        try {
            expect(502, request.get());
        } catch (UncheckedIOException cut) {
            // The answer had begun.
        }
        Eventually.holds(service::output, () -> failures() == failures + 1);
    }

    private void assertLockIsKept() {
        expect(423, run.other("another").lock());
        try (RawStore working = new RawStore(port, SAVED)) {
            expect(200, run.save("{}"));
            assertEquals(1, working.requests.size());
        }
        expect(200, run.unlock());
    }

    @ParameterizedTest
    @CsvSource({"POST, 200", "POST, 201", "POST, 204", "PUT, 200", "PUT, 201", "PUT, 204"})
    void savesWithMethodOfTheRun(String method, int status) {
        expect(200, run.lock());
        String answer = "HTTP/1.1 " + status + " Saved\r\n" + (status == 204 ? "" : "Content-Length: 0\r\n") + "\r\n";
        try (RawStore store = new RawStore(port, answer)) {
            HttpResponse<String> saved = run.send(method, "?ID=" + run.id(), "{\"serial\":1}");
            assertEquals(status, saved.statusCode());
            String sent = store.requests.get(0);
            assertTrue(sent.startsWith(method + " /below/" + run.state() + " HTTP/1.1\r\n"), sent);
            assertTrue(sent.endsWith("\r\n\r\n{\"serial\":1}"), sent);
        }
        expect(200, run.unlock());
    }

    @ParameterizedTest
    @ValueSource(ints = {201, 304})
    void readTakesNoStatusOfOtherRequests(int status) {
        try (RawStore store = new RawStore(port, "HTTP/1.1 " + status + " Other\r\nContent-Length: 0\r\n\r\n")) {
            assertFails(run::read);
            assertEquals(1, store.requests.size());
        }
    }

    @Test
    void emptyStateIsNone() {
        try (RawStore store = new RawStore(port, "HTTP/1.1 204 No Content\r\n\r\n")) {
            HttpResponse<String> answer = run.read();
            expect(204, answer);
            assertTrue(answer.headers().firstValue("Transfer-Encoding").isEmpty(), answer::toString);
            assertEquals(1, store.requests.size());
        }
    }

    /** Larger than the buffers of sockets. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void clientThatLeavesIsNoFailureOfTheStore(boolean early) throws IOException {
        long failures = failures();
        int length = 30_000_000;
        String answer = "HTTP/1.1 200 OK\r\nContent-Length: " + length + "\r\n\r\n" + "x".repeat(length);
        CountDownLatch left = new CountDownLatch(early ? 1 : 0);
        try (RawStore store = new RawStore(port, answer, left)) {
            try (Socket client = new Socket("127.0.0.1", service.uri().getPort())) {
                String head = "GET /terraform/" + run.state() + " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
                client.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
                Eventually.holds("asked", () -> !store.requests.isEmpty());
                if (!early) {
                    client.getInputStream().readNBytes(1_000);
                }
            }
            left.countDown();
            Eventually.holds("ended", () -> store.ended.get() == 1);
        }
        assertFails(run::read);
        assertEquals(failures + 1, failures(), service::output);
    }

    private static long failures() {
        return service.output().lines().filter(line -> line.contains(FAILED)).count();
    }
}
