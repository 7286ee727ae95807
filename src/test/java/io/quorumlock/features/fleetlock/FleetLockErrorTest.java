// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.fleetlock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.quorumlock.http.Problem;
import io.quorumlock.http.ProblemType;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Zincati logs the value of an error that has a kind and a value, else "(unknown server error)". */
@QuarkusTest
@TestProfile(FleetLockProfile.class)
class FleetLockErrorTest {
    @TestHTTPResource
    URI service;

    @Test
    void hasKindAndSentencesOfProblem() {
        assertEquals(
                new FleetLockError("no_quorum", "No majority answered. The detail."),
                FleetLockError.of(new Problem(ProblemType.NO_QUORUM, "The detail.")));
    }

    /** Errors that the service finds before it asks the protocol. */
    @ParameterizedTest
    @CsvSource({
        "GET /fleetlock/v1/pre-reboot, Host: localhost, 405, method_not_allowed",
        "POST /fleetlock/v1/reboot, Host: localhost, 404, not_found",
        "POST /fleetloc%6b/v1/reboot, Host: localhost, 404, not_found",
        "POST /fleetlock/v1//pre-reboot, Host: localhost, 400, invalid_resource",
        "POST /fleetlock/v1/%zz, Host: localhost, 400, invalid_resource",
        "POST /fleetlock/v1/pre-reboot, Host: elsewhere.example, 421, unknown_host",
        "POST /fleetlock/v1/pre-reboot, Host: localhost|Origin: http://a.example, 403, cross_origin"
    })
    void hasThemForAllErrors(String request, String headers, int status, String kind) throws IOException {
        String wire = request + " HTTP/1.1\r\n" + headers.replace("|", "\r\n")
                + "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
        try (Socket socket = new Socket(service.getHost(), service.getPort())) {
            socket.getOutputStream().write(wire.getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertTrue(answer.startsWith("HTTP/1.1 " + status + " "), answer);
            JsonNode error = new ObjectMapper().readTree(answer.substring(answer.indexOf("\r\n\r\n")));
            assertEquals(kind, error.path("kind").asText(), answer);
            assertTrue(error.path("value").asText().endsWith("."), answer);
        }
    }
}
