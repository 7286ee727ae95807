// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.quorumlock.testing.Certificate;
import io.quorumlock.testing.TlsClient;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The port without TLS serves probes and metrics only, while all other requests need a client certificate. */
@QuarkusTest
@TestProfile(ManagementPortProfile.class)
class ManagementPortTest {
    @TestHTTPResource("/")
    URI plain;

    @TestHTTPResource(value = "/nodes", tls = true)
    URI nodes;

    @ConfigProperty(name = MutualTlsProfile.FOLDER)
    Path folder;

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

    @Test
    void requiresCertificateOnPortWithTls() {
        Certificate server = new Certificate(folder.resolve("localhost.p12"), folder.resolve("localhost.pem"));
        Certificate client = new Certificate(folder.resolve("client.p12"), folder.resolve("client.pem"));
        assertEquals(Optional.of(200), new TlsClient(server, Optional.of(client)).get(nodes));
        assertEquals(Optional.empty(), new TlsClient(server, Optional.empty()).get(nodes));
        assertEquals(Optional.empty(), new TlsClient(server, Optional.empty()).get(nodes.resolve("/q/health")));
    }

    private String answer(String request) throws IOException {
        return answer(request, "");
    }

    /** Sends a request as written. An HTTP client would change some paths. */
    private String answer(String request, String headers) throws IOException {
        try (Socket socket = new Socket("localhost", plain.getPort())) {
            String text = request + " HTTP/1.1\r\nHost: localhost\r\nConnection: close" + headers + "\r\n\r\n";
            socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
