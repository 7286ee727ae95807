// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * An answer as received, without a client library.
 *
 * @param headers case-insensitive by name
 */
public record RawAnswer(int status, Map<String, String> headers, String body) {
    private static final ObjectMapper JSON = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    public RawAnswer {
        Map<String, String> byAnyCase = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        byAnyCase.putAll(headers);
        headers = byAnyCase;
    }

    static RawAnswer parse(byte[] wire) {
        String text = new String(wire, StandardCharsets.UTF_8);
        int end = text.indexOf("\r\n\r\n");
        assertTrue(end > 0, () -> "no answer: " + text);
        String[] head = text.substring(0, end).split("\r\n");
        Map<String, String> headers = new HashMap<>();
        for (int i = 1; i < head.length; i++) {
            int colon = head[i].indexOf(':');
            headers.put(
                    head[i].substring(0, colon), head[i].substring(colon + 1).strip());
        }
        return new RawAnswer(Integer.parseInt(head[0].split(" ")[1]), headers, text.substring(end + 4));
    }

    public String header(String name) {
        return headers.getOrDefault(name, "");
    }

    public JsonNode json() {
        try {
            return JSON.readTree(body);
        } catch (JsonProcessingException e) {
            throw new AssertionError("no JSON: " + body, e);
        }
    }

    /** Returns the slug of the problem type; empty if the answer is not a problem. */
    public String slug() {
        return status < 400 ? "" : json().path("type").asText().replace("/problems/", "");
    }
}
