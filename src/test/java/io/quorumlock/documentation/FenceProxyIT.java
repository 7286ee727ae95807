// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.documentation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import io.quorumlock.embedded.FreePorts;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.KeysText;
import io.quorumlock.testing.LockClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page about proxies, with a real nginx in front of a store, and the requests of the other proxies. */
@Tag("tools")
class FenceProxyIT {
    private static final Document PAGE = Document.docs("use/proxy.md");
    private static final String CHECK = "/locks/reports/fence?token=";

    /** Acquires the lock, says so, and writes until a write is refused. */
    private static final String HOLDER =
            """
            answer=$(curl -s -X POST "$QUORUMLOCK_URL/locks/reports?ttlMs=1500" -H "Authorization: Bearer $QUORUMLOCK_KEY")
            fence=$(printf '%s' "$answer" | sed 's/.*"fencingToken":\\([0-9]*\\).*/\\1/')
            echo "token $fence"
            while :; do
              status=$(curl -s -o /dev/null -w '%{http_code}' -X PUT "$STORE/reports/1" -H "Fencing-Token: $fence" -d old)
              echo "write $status"
              [ "$status" = 204 ] || exit 0
            done
            """;

    @TempDir
    static Path keys;

    private static SecuredService service;

    @TempDir
    Path folder;

    private final ConcurrentLinkedQueue<String> written = new ConcurrentLinkedQueue<>();
    private HttpServer store;
    private Process proxy;
    private String url;

    @BeforeAll
    static void startService() {
        service = SecuredService.start(keys);
    }

    @AfterAll
    static void stopService() {
        service.close();
    }

    private void startProxy() throws IOException {
        assumeTrue(Shell.has("nginx"), "nginx is not installed");
        store = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        store.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            written.add(exchange.getRequestHeaders().getFirst("Fencing-Token"));
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        store.start();
        int port = FreePorts.find(1).get(0);
        url = "http://127.0.0.1:" + port;
        String server = PAGE.blocks("nginx")
                .get(0)
                .replace("127.0.0.1:8081", "127.0.0.1:" + port)
                .replace("127.0.0.1:9000", "127.0.0.1:" + store.getAddress().getPort())
                .replace("127.0.0.1:8080", service.replica().uri().getAuthority())
                .replace("your-key", KeysText.ALICE);
        Path file = folder.resolve("nginx.conf");
        Files.writeString(
                file,
                "daemon off;\npid nginx.pid;\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n"
                        + List.of("client_body", "proxy", "fastcgi", "uwsgi", "scgi").stream()
                                .map(kind -> kind + "_temp_path " + kind + ";\n")
                                .reduce("", String::concat)
                        + server + "}\n");
        proxy = new Shell(folder, Map.of())
                .start(folder.resolve("nginx.log"), "nginx", "-p", folder.toString(), "-c", file.toString());
        Eventually.holds("listening", () -> write("") == 403);
    }

    @AfterEach
    void stop() {
        if (proxy != null) {
            proxy.destroy();
        }
        if (store != null) {
            store.stop(0);
        }
    }

    @Test
    void nginxRefusesWritesOfAHolderThatWasSuspended() throws IOException {
        startProxy();
        Path log = folder.resolve("holder.log");
        Process holder = new Shell(
                        folder,
                        Map.of("STORE", url, "QUORUMLOCK_URL", service.address(), "QUORUMLOCK_KEY", KeysText.ALICE))
                .start(log, "sh", "-c", HOLDER);
        try {
            Eventually.holds("written", () -> read(log).contains("write 204"));
            signal(holder, "STOP");
            Eventually.holds(
                    "lost", () -> service.client().get("/locks/reports").status() == 404);
            LockClient.Answer next = service.client().acquire("reports", 30_000);
            String fence = fence(next);
            assertEquals(204, write(fence));
            int before = written.size();
            signal(holder, "CONT");
            Eventually.holds("ended", () -> !holder.isAlive());
            assertTrue(read(log).endsWith("write 403\n"), read(log));
            assertEquals(before, written.size());
            assertEquals(204, write(fence));
            service.client().release("reports", next.token());
            assertEquals(403, write(fence));
        } finally {
            holder.descendants().forEach(ProcessHandle::destroyForcibly);
            holder.destroyForcibly();
        }
    }

    @Test
    void nginxRefusesInvalidTokens() throws IOException {
        startProxy();
        LockClient.Answer lease = service.client().acquire("reports", 30_000);
        String fence = fence(lease);
        for (String token : List.of("", "1", fence + "0", fence + "&token=1", fence + " ", "x" + fence, "%00")) {
            assertEquals(token.strip().equals(fence) ? 204 : 403, write(token), token);
        }
        service.replica().suspend();
        try {
            assertEquals(500, write(fence));
        } finally {
            service.replica().resume();
        }
        service.client().release("reports", lease.token());
    }

    @Test
    void answersTheRequestsOfOtherProxies() {
        String late = fence(service.client().acquire("reports", 1_500));
        Eventually.holds("lost", () -> service.client().get("/locks/reports").status() == 404);
        LockClient.Answer next = service.client().acquire("reports", 30_000);
        for (Map<String, String> headers : List.of(caddy(), envoy())) {
            assertEquals(204, check(fence(next), headers));
            assertEquals(403, check(late, headers));
            assertEquals(403, check("", headers));
        }
        service.client().release("reports", next.token());
    }

    /** The headers of a browser's page that the file does not remove, and those that Caddy adds. */
    private static Map<String, String> caddy() {
        String file = PAGE.blocks("caddy").get(0);
        assertTrue(file.contains("uri " + CHECK), file);
        Map<String, String> headers = new HashMap<>(Map.of(
                "Origin", "http://store.example:8081", "Sec-Fetch-Site", "same-site", "Content-Type", "text/html"));
        headers.keySet().removeIf(name -> file.contains("header_up -" + name));
        headers.putAll(Map.of(
                "X-Forwarded-Method", "PUT",
                "X-Forwarded-Uri", "/reports/1",
                "X-Forwarded-For", "192.0.2.1",
                "X-Forwarded-Proto", "http",
                "X-Forwarded-Host", "store.example:8081",
                "Host", service.replica().uri().getAuthority()));
        return headers;
    }

    /** The Lua filter of Envoy sends only the headers that it names. */
    private static Map<String, String> envoy() {
        String filter = PAGE.blocks("lua").get(0);
        assertTrue(filter.contains("\"" + CHECK), filter);
        return Map.of(
                "Host", "quorumlock",
                "x-forwarded-proto", "http",
                "x-request-id", "5d5b",
                "x-envoy-expected-rq-timeout-ms", "3000");
    }

    private static String fence(LockClient.Answer lease) {
        return lease.body().get("fencingToken").asText();
    }

    private int check(String token, Map<String, String> headers) {
        StringBuilder command =
                new StringBuilder("curl -s -o /dev/null -w '%{http_code}' \"$QUORUMLOCK_URL" + CHECK + token + "\"");
        headers.forEach((name, value) -> command.append(" -H '" + name + ": " + value + "'"));
        command.append(" -H \"Authorization: Bearer $QUORUMLOCK_KEY\"");
        return status(new Shell(folder, service.environment()).run(Eventually.LONGEST, "sh", "-c", command.toString()));
    }

    private int write(String fence) {
        return status(new Shell(folder, Map.of())
                .run(
                        Eventually.LONGEST,
                        "curl",
                        "-s",
                        "-o",
                        "/dev/null",
                        "-w",
                        "%{http_code}",
                        "-X",
                        "PUT",
                        url + "/reports/1",
                        "-H",
                        "Fencing-Token: " + fence,
                        "-d",
                        "new"));
    }

    private static String read(Path log) {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int status(Shell.Result curl) {
        return Integer.parseInt(curl.output().strip());
    }

    private static void signal(Process process, String name) throws IOException {
        new ProcessBuilder("kill", "-s", name, Long.toString(process.pid()))
                .start()
                .onExit()
                .join();
    }
}
