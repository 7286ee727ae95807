// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import io.quorumlock.http.ProblemException;
import io.vertx.core.MultiMap;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A message of an MCP client, whose form and version are checked.
 *
 * @param id missing in a notification
 * @param params missing or null if there are none
 * @param selfContained whether it describes its client, as in version 2026-07-28, instead of a handshake before it
 */
record McpMessage(JsonNode id, String method, JsonNode params, boolean selfContained) {
    static final String TOOL_CALL = "tools/call";
    /** The newest first. */
    static final List<String> VERSIONS = List.of("2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26");
    /** Those with the handshake {@code initialize}. */
    static final List<String> WITH_HANDSHAKE = VERSIONS.subList(1, VERSIONS.size());

    private static final String VERSION = "MCP-Protocol-Version";
    private static final String META = "io.modelcontextprotocol/";
    private static final Pattern ENCODED = Pattern.compile("=\\?base64\\?(.*)\\?=");

    /** @throws ProblemException with an error of JSON-RPC if the message is not valid */
    static McpMessage read(JsonNode body, MultiMap headers) {
        JsonNode id = body.path("id");
        if (body.isArray()) {
            throw invalid(id, "must not be a batch; send each message in its own request");
        }
        JsonNode params = body.path("params");
        if (!"2.0".equals(body.path("jsonrpc").textValue())
                || !body.path("method").isTextual()
                || !(params.isMissingNode() || params.isNull() || params.isObject())) {
            throw invalid(id, "must be an object with jsonrpc \"2.0\", a method, and params, if any, in an object");
        }
        String method = body.path("method").textValue();
        boolean notification = method.startsWith("notifications/");
        if (notification ? !id.isMissingNode() : !JsonRpc.isId(id)) {
            throw invalid(id, "must have an id, a string or a whole number, unless it is a notification");
        }
        JsonNode meta = params.path("_meta");
        String version = version(id, meta, headers);
        McpMessage message = new McpMessage(id, method, params, VERSIONS.get(0).equals(version));
        if (message.selfContained && !notification) {
            message.checkSelfContained(meta, headers);
        }
        return message;
    }

    private static ProblemException invalid(JsonNode id, String rule) {
        return JsonRpc.refusal(400, id, JsonRpc.INVALID_REQUEST, "The message " + rule + ".");
    }

    /** Returns the version in the message or in its header. A message without one follows a handshake. */
    private static String version(JsonNode id, JsonNode meta, MultiMap headers) {
        String declared = meta.path(META + "protocolVersion").textValue();
        if (declared != null && !isOnly(declared, headers.getAll(VERSION))) {
            throw mismatch(id, VERSION, declared);
        }
        String header = headers.get(VERSION);
        if (header != null && !VERSIONS.contains(header)) {
            throw new ProblemException(JsonRpc.error(
                    400,
                    id,
                    Map.of(
                            "code",
                            JsonRpc.UNSUPPORTED_VERSION,
                            "message",
                            "Unsupported protocol version",
                            "data",
                            Map.of("supported", VERSIONS, "requested", header))));
        }
        return header;
    }

    private void checkSelfContained(JsonNode meta, MultiMap headers) {
        if (!meta.has(META + "protocolVersion")
                || !meta.path(META + "clientCapabilities").isObject()) {
            String rule = "must have " + META + "protocolVersion and " + META + "clientCapabilities";
            throw JsonRpc.refusal(400, id, JsonRpc.INVALID_PARAMS, "params._meta " + rule + ".");
        }
        if (!isOnly(method, headers.getAll("Mcp-Method"))) {
            throw mismatch(id, "Mcp-Method", method);
        }
        String tool = params.path("name").asText();
        List<String> names =
                headers.getAll("Mcp-Name").stream().map(McpMessage::decoded).toList();
        if (method.equals(TOOL_CALL) && !isOnly(tool, names)) {
            throw mismatch(id, "Mcp-Name", tool);
        }
    }

    private static ProblemException mismatch(JsonNode id, String header, String value) {
        String text = "The header " + header + " must be \"" + value + "\", as in the message.";
        return JsonRpc.refusal(400, id, JsonRpc.HEADER_MISMATCH, text);
    }

    private static boolean isOnly(String value, List<String> headers) {
        return headers.equals(List.of(value));
    }

    /** Returns the text of the header Mcp-Name, which may be encoded because it is not ASCII. */
    private static String decoded(String header) {
        Matcher encoded = ENCODED.matcher(header);
        try {
            return encoded.matches()
                    ? new String(Base64.getDecoder().decode(encoded.group(1)), StandardCharsets.UTF_8)
                    : header;
        } catch (IllegalArgumentException notBase64) {
            return header;
        }
    }

    boolean isNotification() {
        return id.isMissingNode();
    }

    /** Returns an error in the answer to this message. Only version 2026-07-28 gives it a status. */
    ProblemException refusal(int code, String text) {
        int status = !selfContained ? 200 : code == JsonRpc.METHOD_NOT_FOUND ? 404 : 400;
        return JsonRpc.refusal(status, id, code, text);
    }
}
