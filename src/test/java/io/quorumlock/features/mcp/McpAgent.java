// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.mcp;

import static io.restassured.RestAssured.given;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quorumlock.http.OpenApiContract;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.util.Map;
import java.util.TreeMap;

/** An agent, with its API key. It speaks the protocol of version 2025-06-18 without the handshake. */
record McpAgent(String key) {
    private static final OpenApiContract CONTRACT = OpenApiContract.load();
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Sends a body with headers, and checks the answer against the contract. */
    Response post(String body, Map<String, String> headers) {
        RequestSpecification request =
                given().header("Authorization", "Bearer " + key).headers(headers);
        Response answer = request.contentType("application/json")
                .accept("application/json, text/event-stream")
                .body(body)
                .post("/mcp");
        Map<String, String> received = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        answer.headers().forEach(header -> received.put(header.getName(), header.getValue()));
        CONTRACT.check("POST", "/mcp", answer.statusCode(), received, answer.asString());
        assertFalse(answer.asString().contains("Exception"), answer::asString);
        return answer;
    }

    JsonNode send(int status, String body) {
        Response answer = post(body, Map.of());
        assertEquals(status, answer.statusCode(), answer::asString);
        return json(answer.asString());
    }

    /** Calls a tool, with the arguments in JSON, and returns its result. */
    JsonNode call(String tool, String arguments) {
        JsonNode answer = send(
                200,
                """
                {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "%s", "arguments": %s}}
                """
                        .formatted(tool, arguments));
        assertEquals(7, answer.path("id").asInt(), answer::toString);
        return answer.path("result");
    }

    /** Calls a tool that does what it should, and returns the fields of its result. */
    JsonNode done(String tool, String arguments) {
        JsonNode result = call(tool, arguments);
        assertFalse(result.path("isError").asBoolean(true), result::toString);
        assertEquals(result.get("structuredContent"), json(text(result, 1)));
        return result.get("structuredContent");
    }

    /** Calls a tool that does not do what it should, and returns the text for the agent. */
    String refused(String tool, String arguments) {
        JsonNode result = call(tool, arguments);
        assertEquals(true, result.path("isError").asBoolean(), result::toString);
        return text(result, 0);
    }

    static String text(JsonNode result, int part) {
        return result.at("/content/" + part + "/text").asText();
    }

    static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new AssertionError(text, e);
        }
    }
}
