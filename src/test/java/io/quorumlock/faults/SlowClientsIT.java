// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.UnixOperatingSystemMXBean;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.LockClient;
import io.quorumlock.testing.LockClient.Answer;
import io.quorumlock.testing.ServiceProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Clients that send nothing or too little, and other clients at the same time. Tests mostly wait, so they run concurrently. */
@Tag("nightly")
@Execution(ExecutionMode.CONCURRENT)
class SlowClientsIT {
    private static final String HEAD = "POST /locks/slow/one HTTP/1.1\r\nHost: x\r\n";
    private static final Duration SLACK = Duration.ofSeconds(30);
    private static final Duration IDLE = Duration.ofSeconds(2);
    private static final int IDLE_CONNECTIONS = 1_000;

    private static ServiceProcess shared;

    @BeforeAll
    static void start() {
        shared = service();
    }

    @AfterAll
    static void stop() {
        shared.close();
    }

    @Test
    void closesIdleConnections() throws IOException {
        try (ServiceProcess service = service("QUARKUS_HTTP_IDLE_TIMEOUT", IDLE.toSeconds() + "s")) {
            for (String beginning : List.of("", "POST /lo", HEAD + "X-Half: ", HEAD + "Content-Length: 9\r\n\r\n{")) {
                try (Socket socket = connect(service)) {
                    socket.setSoTimeout((int) IDLE.plus(SLACK).toMillis());
                    send(socket, beginning);
                    assertEquals(-1, socket.getInputStream().read(), beginning);
                }
            }
        }
    }

    @Test
    void servesOthersDespiteIdleConnections() {
        int count = Math.min(IDLE_CONNECTIONS, mayOpen());
        List<Socket> idle = new ArrayList<>();
        try {
            LockClient client = shared.client();
            for (int i = 0; i < count; i++) {
                idle.add(connect(shared));
                send(idle.get(i), i % 2 == 0 ? HEAD : "");
            }
            for (int i = 0; i < 200; i++) {
                Answer lease = client.acquire("slow/others", 60_000);
                assertEquals(201, lease.status(), lease.body()::toString);
                assertTrue(lease.took().compareTo(SLACK) < 0, () -> "took " + lease.took());
                assertEquals(204, client.release("slow/others", lease.token()).status());
            }
            int last = count - 1 - count % 2;
            send(idle.get(last), HEAD + "Connection: close\r\n\r\n");
            assertTrue(readAll(idle.get(last)).startsWith("HTTP/1.1 201 "), "the last of " + count);
        } finally {
            idle.forEach(SlowClientsIT::close);
        }
    }

    /** A connection counts from its first request. */
    @Test
    void rejectsConnectionsOverTheLimit() throws IOException {
        List<Socket> open = new ArrayList<>();
        int served = 0;
        try (ServiceProcess service = service("QUARKUS_HTTP_LIMITS_MAX_CONNECTIONS", "20")) {
            for (int i = 0; i < 30; i++) {
                open.add(connect(service));
                send(open.get(i), "GET /q/health/live HTTP/1.1\r\nHost: x\r\n\r\n");
                served += isClosed(open.get(i)) ? 0 : 1;
            }
            // The client that checked readiness may still have a connection.
            assertTrue(served >= 18 && served <= 20, served + " were served");
            open.forEach(SlowClientsIT::close);
            Eventually.within(SLACK, service::output, () -> service.client().isReady());
        }
    }

    private static ServiceProcess service(String... setting) {
        Map<String, String> environment = new HashMap<>(
                Map.of("QUORUMLOCK_EMBEDDED", "true", "QUORUMLOCK_NODE_TIMEOUT", "5s", "QUORUMLOCK_TTL_MIN", "10s"));
        if (setting.length > 0) {
            environment.put(setting[0], setting[1]);
        }
        return ServiceProcess.startReady(environment);
    }

    /** Returns the number of files to open, and leaves some for other purposes. */
    private static int mayOpen() {
        UnixOperatingSystemMXBean system = (UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return (int) Math.min(Integer.MAX_VALUE, system.getMaxFileDescriptorCount() - 1_000);
    }

    private static Socket connect(ServiceProcess service) {
        try {
            return new Socket("127.0.0.1", service.uri().getPort());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void send(Socket socket, String text) {
        try {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isClosed(Socket socket) throws IOException {
        socket.setSoTimeout((int) SLACK.toMillis());
        try {
            return socket.getInputStream().read() < 0;
        } catch (SocketException reset) {
            return true;
        }
    }

    private static String readAll(Socket socket) {
        try {
            socket.setSoTimeout((int) SLACK.toMillis());
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
