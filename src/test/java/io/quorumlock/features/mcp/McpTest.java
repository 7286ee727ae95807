// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.mcp;

import static io.restassured.RestAssured.given;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The messages of the Model Context Protocol. */
@QuarkusTest
@TestProfile(McpProfile.class)
class McpTest {
    private static final McpAgent ALICE = new McpAgent(McpProfile.ALICE);
    private static final String LIST = "{\"jsonrpc\": \"2.0\", \"id\": \"x\", \"method\": \"tools/list\"}";
    private static final String LARGE = LIST.replace("\"x\"", "\"" + "x".repeat(17_000) + "\"");
    private static final String VERSION = "MCP-Protocol-Version";

    @ParameterizedTest
    @CsvSource({
        "2025-11-25, 2025-11-25",
        "2025-06-18, 2025-06-18",
        "2025-03-26, 2025-03-26",
        "2024-11-05, 2025-11-25",
        "2026-07-28, 2025-11-25",
        "9, 2025-11-25"
    })
    void agreesOnVersionInHandshake(String asked, String agreed) {
        JsonNode result = ALICE.send(
                        200,
                        """
                        {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"protocolVersion": "%s",
                         "capabilities": {"roots": {}}, "clientInfo": {"name": "test", "version": "1"}}}
                        """
                                .formatted(asked))
                .path("result");
        assertEquals(agreed, result.path("protocolVersion").asText());
        assertTrue(result.at("/capabilities/tools").isObject(), result::toString);
        assertEquals("quorumlock", result.at("/serverInfo/name").asText());
        assertTrue(result.path("instructions").asText().contains("acquire"), result::toString);
    }

    @Test
    void acceptsNotifications() {
        for (String method : List.of("notifications/initialized", "notifications/cancelled", "notifications/x")) {
            Response answer =
                    ALICE.post("{\"jsonrpc\": \"2.0\", \"method\": \"" + method + "\"}", Map.of(VERSION, "2025-06-18"));
            assertEquals(202, answer.statusCode());
            assertEquals(null, answer.header("Content-Type"));
            assertEquals("", answer.asString());
        }
    }

    /** Clients that have an empty field of a language for no parameters send null. */
    @Test
    void nullIsNoParams() {
        String message = "{\"jsonrpc\": \"2.0\", %s\"method\": \"%s\", \"params\": null}";
        ALICE.post(message.formatted("", "notifications/initialized"), Map.of())
                .then()
                .statusCode(202);
        JsonNode listed = ALICE.send(200, message.formatted("\"id\": 1, ", "tools/list"));
        assertEquals(6, listed.at("/result/tools").size());
        assertTrue(
                ALICE.send(200, message.formatted("\"id\": 1, ", "tools/call")).has("error"));
    }

    @Test
    void answersPing() {
        JsonNode answer = ALICE.send(200, "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"ping\", \"params\": {}}");
        assertEquals("{}", answer.path("result").toString());
    }

    /** JSON Schema takes 1.0 for an integer. */
    @Test
    void acceptsWholeNumbersAsIds() {
        for (String id : List.of("0", "-1", "1.0", "9007199254740993")) {
            JsonNode answer = ALICE.send(200, "{\"jsonrpc\": \"2.0\", \"id\": " + id + ", \"method\": \"ping\"}");
            assertEquals(id, answer.path("id").asText());
        }
    }

    /** With ownToken, also check and list extend a lease. */
    @Test
    void saysWhichToolsAreDestructiveOrSafeToRepeat() {
        ALICE.send(200, LIST).at("/result/tools").forEach(tool -> {
            String name = tool.path("name").asText();
            JsonNode hints = tool.path("annotations");
            assertEquals("false", hints.path("readOnlyHint").asText(), name);
            assertEquals("false", hints.path("openWorldHint").asText(), name);
            assertEquals(name.equals("break"), hints.path("destructiveHint").asBoolean(), name);
            assertEquals(
                    !Set.of("acquire", "break").contains(name),
                    hints.path("idempotentHint").asBoolean(),
                    name);
        });
    }

    @Test
    void describesEveryArgumentOfEveryTool() {
        JsonNode tools = ALICE.send(200, LIST).at("/result/tools");
        List<String> names = new ArrayList<>();
        tools.forEach(tool -> names.add(tool.path("name").asText()));
        assertEquals(List.of("acquire", "extend", "release", "check", "list", "break"), names);
        Set<String> described = new TreeSet<>();
        tools.forEach(tool -> {
            JsonNode schema = tool.path("inputSchema");
            assertFalse(schema.path("additionalProperties").asBoolean(true));
            schema.path("properties").properties().forEach(argument -> {
                assertTrue(argument.getValue().path("description").asText().endsWith("."), argument::toString);
                described.add(argument.getKey());
            });
            schema.path("required")
                    .forEach(name -> assertTrue(schema.path("properties").has(name.asText()), name::asText));
        });
        assertEquals(
                Stream.of(McpArguments.class.getRecordComponents())
                        .map(RecordComponent::getName)
                        .collect(Collectors.toCollection(TreeSet::new)),
                described);
        JsonNode acquire = tools.path(0).at("/inputSchema/properties");
        assertEquals(120, acquire.at("/ttlMinutes/maximum").asInt());
        assertEquals(10, acquire.at("/waitSeconds/maximum").asInt());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "[1", "x", "{\"jsonrpc\": \"2.0\", \"jsonrpc\": \"2.0\"}", "{} {}"})
    void refusesOtherTextThanJson(String body) {
        JsonNode answer = ALICE.send(400, body);
        int code = answer.at("/error/code").asInt();
        assertTrue(code == (body.isEmpty() ? JsonRpc.INVALID_REQUEST : JsonRpc.PARSE_ERROR), answer::toString);
        assertFalse(answer.has("id"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[]",
                "[{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"ping\"}]",
                "null",
                "7",
                "\"ping\"",
                "{}",
                "{\"id\": 1, \"method\": \"ping\"}",
                "{\"jsonrpc\": \"1.0\", \"id\": 1, \"method\": \"ping\"}",
                "{\"jsonrpc\": 2.0, \"id\": 1, \"method\": \"ping\"}",
                "{\"jsonrpc\": \"2.0\", \"id\": 1}",
                "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": 5}",
                "{\"jsonrpc\": \"2.0\", \"method\": \"ping\"}",
                "{\"jsonrpc\": \"2.0\", \"id\": null, \"method\": \"ping\"}",
                "{\"jsonrpc\": \"2.0\", \"id\": 1.5, \"method\": \"ping\"}",
                "{\"jsonrpc\": \"2.0\", \"id\": {}, \"method\": \"ping\"}",
                "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"ping\", \"params\": []}",
                "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"ping\", \"params\": \"\"}",
                "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"notifications/initialized\"}",
                "{\"jsonrpc\": \"2.0\", \"id\": 1, \"result\": {}}"
            })
    void refusesInvalidMessages(String body) {
        JsonNode answer = ALICE.send(400, body);
        assertEquals(JsonRpc.INVALID_REQUEST, answer.at("/error/code").asInt(), answer::toString);
        assertEquals(body.startsWith("["), answer.at("/error/message").asText().contains("batch"), answer::toString);
        boolean readable = body.matches("\\{.*\"id\": 1[,}].*");
        assertEquals(readable ? "1" : "", answer.path("id").asText(), answer::toString);
    }

    @Test
    void refusesUnknownMethods() {
        for (String method : List.of("tools/lists", "resources/list", "server/discover", "", "acquire")) {
            JsonNode answer = ALICE.send(200, "{\"jsonrpc\": \"2.0\", \"id\": \"m\", \"method\": \"" + method + "\"}");
            assertEquals(JsonRpc.METHOD_NOT_FOUND, answer.at("/error/code").asInt(), answer::toString);
            assertEquals("m", answer.path("id").asText());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"method\": \"initialize\"",
                "\"method\": \"initialize\", \"params\": null",
                "\"method\": \"initialize\", \"params\": {\"protocolVersion\": 1}",
                "\"method\": \"tools/call\"",
                "\"method\": \"tools/call\", \"params\": {\"name\": 1}",
                "\"method\": \"tools/call\", \"params\": {\"name\": \"steal\", \"arguments\": {}}",
                "\"method\": \"tools/call\", \"params\": {\"name\": \"ACQUIRE\"}",
                "\"method\": \"tools/call\", \"params\": {\"name\": \"list\", \"arguments\": []}",
                "\"method\": \"tools/call\", \"params\": {\"name\": \"list\", \"arguments\": \"{}\"}"
            })
    void refusesInvalidParameters(String fields) {
        JsonNode answer = ALICE.send(200, "{\"jsonrpc\": \"2.0\", \"id\": 1, " + fields + "}");
        assertEquals(JsonRpc.INVALID_PARAMS, answer.at("/error/code").asInt(), answer::toString);
    }

    @Test
    void acceptsKnownVersionsInHeader() {
        for (String version : McpMessage.WITH_HANDSHAKE) {
            assertEquals(200, ALICE.post(LIST, Map.of(VERSION, version)).statusCode());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"2024-11-05", "2026-07-29", "x", ""})
    void refusesUnknownVersionInHeader(String version) {
        Response answer = ALICE.post(LIST, Map.of(VERSION, version));
        assertEquals(400, answer.statusCode());
        assertEquals(JsonRpc.UNSUPPORTED_VERSION, answer.<Integer>path("error.code"));
        assertEquals(McpMessage.VERSIONS, answer.path("error.data.supported"));
        assertEquals(version, answer.path("error.data.requested"));
        assertEquals("x", answer.path("id"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "DELETE", "PUT", "PATCH", "HEAD"})
    void hasNoStreamsAndSessions(String method) {
        Response answer =
                given().header("Authorization", "Bearer " + McpProfile.ALICE).request(method, "/mcp");
        assertEquals(405, answer.statusCode());
        assertEquals("POST", answer.header("Allow"));
    }

    @Test
    void requiresKey() {
        assertEquals(401, given().body(LIST).post("/mcp").statusCode());
    }

    @Test
    void refusesPagesOfOtherSites() {
        Map<String, String> origin = Map.of("Origin", "https://example.com");
        assertEquals(403, ALICE.post(LIST, origin).statusCode());
    }

    /** Their size may be announced or not. */
    @Test
    void refusesLargeMessages() {
        InputStream chunks = new ByteArrayInputStream(LARGE.getBytes(StandardCharsets.US_ASCII));
        for (RequestSpecification request : List.of(given().body(LARGE), given().body(chunks))) {
            Response answer = request.header("Authorization", "Bearer " + McpProfile.ALICE)
                    .post("/mcp");
            assertEquals(413, answer.statusCode());
            assertEquals("application/problem+json", answer.header("Content-Type"));
            assertEquals("/problems/body-too-large", answer.path("type"));
        }
    }

    @Test
    void hasNoOtherPaths() {
        for (String path : List.of("/mcp/sse", "/mcp/messages", "/mcpx", "/MCP")) {
            Response answer = given().header("Authorization", "Bearer " + McpProfile.ALICE)
                    .body(LIST)
                    .post(path);
            assertEquals(404, answer.statusCode(), path);
        }
    }
}
