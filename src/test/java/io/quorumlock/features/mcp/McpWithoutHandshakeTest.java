// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.mcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.Response;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The messages of version 2026-07-28, which describe themselves in their headers and their member {@code _meta}. */
@QuarkusTest
@TestProfile(McpProfile.class)
class McpWithoutHandshakeTest {
    private static final McpAgent ALICE = new McpAgent(McpProfile.ALICE);
    private static final String VERSION = "MCP-Protocol-Version";

    private static Response send(String method, String params, Map<String, String> changes) {
        Map<String, String> headers = new HashMap<>(Map.of(VERSION, "2026-07-28", "Mcp-Method", method));
        headers.putAll(changes);
        headers.values().removeIf(String::isEmpty);
        return ALICE.post(
                """
                {"jsonrpc": "2.0", "id": 3, "method": "%s", "params": {%s "_meta": {
                 "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                 "io.modelcontextprotocol/clientCapabilities": {}}}}
                """
                        .formatted(method, params),
                headers);
    }

    @Test
    void discoversWithoutHandshake() {
        Response answer = send("server/discover", "", Map.of());
        assertEquals(200, answer.statusCode());
        assertEquals("complete", answer.path("result.resultType"));
        assertEquals(McpMessage.VERSIONS, answer.path("result.supportedVersions"));
        assertEquals(
                "quorumlock", answer.path("result._meta.'io.modelcontextprotocol/serverInfo'.name"), answer::asString);
        assertEquals("public", answer.path("result.cacheScope"));
    }

    @Test
    void callsToolsWithoutHandshake() {
        assertEquals(
                6,
                send("tools/list", "", Map.of()).<List<?>>path("result.tools").size());
        String list = "\"name\": \"list\", \"arguments\": {\"prefix\": \"modern/\"},";
        for (String name : List.of("list", "=?base64?bGlzdA==?=")) {
            Response answer = send("tools/call", list, Map.of("Mcp-Name", name));
            assertEquals(200, answer.statusCode());
            assertEquals("complete", answer.path("result.resultType"));
            assertEquals(false, answer.path("result.isError"));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "MCP-Protocol-Version, ''",
        "MCP-Protocol-Version, 2025-11-25",
        "Mcp-Method, ''",
        "Mcp-Method, tools/list",
        "Mcp-Method, =?base64?dG9vbHMvY2FsbA==?=",
        "MCP-Protocol-Version, =?base64?MjAyNi0wNy0yOA==?=",
        "Mcp-Name, ''",
        "Mcp-Name, break",
        "Mcp-Name, =?base64?YnJlYWs=?=",
        "Mcp-Name, =?base64?!?=",
        "Mcp-Name, =?base64?="
    })
    void refusesHeadersThatDifferFromMessage(String header, String value) {
        Map<String, String> headers = new HashMap<>(Map.of("Mcp-Name", "list"));
        headers.put(header, value);
        Response answer = send("tools/call", "\"name\": \"list\",", headers);
        assertEquals(400, answer.statusCode());
        assertEquals(JsonRpc.HEADER_MISMATCH, answer.<Integer>path("error.code"));
        assertTrue(answer.<String>path("error.message").contains(header), answer::asString);
    }

    @Test
    void refusesIncompleteMessagesWithoutHandshake() {
        Response answer = ALICE.post(
                "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"tools/list\"}",
                Map.of(VERSION, "2026-07-28", "Mcp-Method", "tools/list"));
        assertEquals(400, answer.statusCode());
        assertEquals(JsonRpc.INVALID_PARAMS, answer.<Integer>path("error.code"));
    }

    @Test
    void refusesMethodsOfEarlierVersions() {
        for (String method : List.of("initialize", "ping", "subscriptions/listen", "x")) {
            Response answer = send(method, "", Map.of());
            assertEquals(404, answer.statusCode());
            assertEquals(JsonRpc.METHOD_NOT_FOUND, answer.<Integer>path("error.code"));
        }
        Response unknown = send("tools/call", "\"name\": \"x\",", Map.of("Mcp-Name", "x"));
        assertEquals(400, unknown.statusCode());
        assertEquals(JsonRpc.INVALID_PARAMS, unknown.<Integer>path("error.code"));
    }
}
