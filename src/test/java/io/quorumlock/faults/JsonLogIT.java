// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quorumlock.testing.ServiceProcess;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The log in JSON format: one object per line, enabled by one setting. */
@Tag("nightly")
class JsonLogIT {
    private static final String TOKEN = "canary-token-0123456789";
    private static final ObjectMapper JSON = new ObjectMapper();

    @Test
    void linesContainMessageAndRequestIdButNoToken() {
        try (ServiceProcess service = ServiceProcess.startReady(Map.of(
                "QUORUMLOCK_EMBEDDED", "true",
                "QUARKUS_LOG_CONSOLE_JSON_ENABLED", "true",
                "QUARKUS_HTTP_ACCESS_LOG_ENABLED", "true"))) {
            service.client().get("/locks/json/log?token=" + TOKEN);
            service.client().force("json/log", "holder%20is%20gone", "request-2");
            String log = service.logToTheEnd();
            List<JsonNode> lines = log.lines().map(JsonLogIT::parse).toList();
            String started = lines.stream()
                    .map(line -> line.path("message").asText())
                    .filter(message -> message.startsWith("started"))
                    .collect(Collectors.joining());
            assertTrue(
                    started.matches(
                            "started nodes_up=5 nodes_configured=5 quorum=3 revision=([0-9a-f]{8}.*|without-git)"),
                    started);
            assertEquals(List.of("request-2"), accessIds(lines));
            assertTrue(log.contains("request_id=\\\"request-2\\\""), log);
            assertTrue(!log.contains(TOKEN), log);
        }
    }

    private static List<String> accessIds(List<JsonNode> lines) {
        return lines.stream()
                .filter(line -> line.path("message").asText().contains("DELETE /locks/json/log 404"))
                .map(line -> line.at("/mdc/request_id").asText())
                .toList();
    }

    private static JsonNode parse(String line) {
        try {
            return JSON.readTree(line);
        } catch (JsonProcessingException e) {
            throw new AssertionError("not JSON: " + line, e);
        }
    }
}
