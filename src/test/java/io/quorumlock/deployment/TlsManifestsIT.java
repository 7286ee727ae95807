// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.deployment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.embedded.FreePorts;
import io.quorumlock.testing.Certificate;
import io.quorumlock.testing.RedisServer;
import io.quorumlock.testing.RedisServers;
import io.quorumlock.testing.ServiceProcess;
import io.quorumlock.testing.TlsClient;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The packaged service with the variables of the chart for TLS and client certificates. The port without TLS serves
 * probes and metrics only, while all other requests need a client certificate.
 */
class TlsManifestsIT {
    private static final Pattern VARIABLE =
            Pattern.compile("- name: (QU\\w+_(?:TLS|MANAGEMENT|CLIENT)_\\w+)\\n +value: \"?([^\\s\"]+)");

    @TempDir
    private static Path folder;

    private static List<RedisServer> masters;
    private static ServiceProcess service;
    private static TlsClient withoutCertificate;
    private static URI nodes;

    @BeforeAll
    static void start() throws IOException {
        Certificate server = Certificate.of("localhost", folder);
        Certificate client = Certificate.of("client", folder);
        Files.copy(server.pem(), folder.resolve("tls.crt"));
        server.writeKey(folder.resolve("tls.key"));
        Files.copy(client.pem(), folder.resolve("ca.crt"));
        TlsClient withCertificate = new TlsClient(server, Optional.of(client));
        withoutCertificate = new TlsClient(server, Optional.empty());
        masters = RedisServers.start(1);
        Map<String, String> environment = new TreeMap<>();
        environment.put("QUORUMLOCK_NODES", masters.get(0).url().toString());
        environment.put("QUARKUS_HTTP_PROXY_PROXY_ADDRESS_FORWARDING", "true");
        environment.putAll(variables());
        // Last, because another process may take a free port.
        int port = FreePorts.find(1).get(0);
        environment.put("QUARKUS_HTTP_SSL_PORT", String.valueOf(port));
        nodes = URI.create("https://localhost:" + port + "/nodes");
        service = ServiceProcess.startReady(environment);
        // The first request once the probe succeeds: by then the port with TLS must be open, too.
        assertEquals(Optional.of(200), withCertificate.get(nodes), service::output);
    }

    @AfterAll
    static void stop() {
        service.close();
        RedisServers.close(masters);
    }

    @Test
    void requiresCertificateOnPortWithTls() {
        assertEquals(Optional.empty(), withoutCertificate.get(nodes));
        assertEquals(Optional.empty(), withoutCertificate.get(nodes.resolve("/q/health")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/q/health", "/q/health/live", "/q/health/started", "/q/health/ready", "/q/metrics"})
    void servesProbesAndMetricsWithoutCertificate(String path) throws IOException {
        assertTrue(answer("GET " + path).startsWith("HTTP/1.1 200 "));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /nodes",
                "GET /locks",
                "POST /locks/x",
                "DELETE /locks/x?force=true&reason=test",
                "POST /sessions/x",
                "GET /events",
                "GET /",
                "GET /ui/",
                "GET /openapi.yaml",
                "GET /q/swagger-ui",
                "GET /problems/locked",
                "GET /q/healthy"
            })
    void servesNothingElse(String request) throws IOException {
        String answer = answer(request);
        assertTrue(answer.startsWith("HTTP/1.1 404 ") && answer.contains("/problems/not-found"), answer);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "POST /q/health/../../locks/x",
                "POST /q/health/%2e%2e/%2e%2e/locks/x",
                "GET /locks/../q/health/live",
                "GET //q/metrics/../../nodes"
            })
    void rejectsDetours(String request) throws IOException {
        assertTrue(answer(request).startsWith("HTTP/1.1 400 "));
    }

    /** With forwarding enabled, the framework takes the scheme from these headers. */
    @Test
    void ignoresClaimedScheme() throws IOException {
        String claims = "\r\nX-Forwarded-Proto: https\r\nX-Forwarded-Ssl: on\r\nForwarded: proto=https";
        assertTrue(answer("GET /nodes", claims).startsWith("HTTP/1.1 404 "));
    }

    private static String answer(String request) throws IOException {
        return answer(request, "");
    }

    /** Sends a request as written. An HTTP client would change some paths. */
    private static String answer(String request, String headers) throws IOException {
        try (Socket socket = new Socket("localhost", service.uri().getPort())) {
            String text = request + " HTTP/1.1\r\nHost: localhost\r\nConnection: close" + headers + "\r\n\r\n";
            socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** Returns the variables for TLS in the template of the chart. */
    private static Map<String, String> variables() {
        Map<String, String> variables = VARIABLE.matcher(
                        Monitoring.text(Path.of("deploy/helm/quorumlock/templates/deployment.yaml")))
                .results()
                .collect(Collectors.toMap(variable -> variable.group(1), variable -> variable.group(2)
                        .replace("/etc/quorumlock-tls", folder.toString())));
        assertEquals(7, variables.size(), variables::toString);
        return variables;
    }
}
