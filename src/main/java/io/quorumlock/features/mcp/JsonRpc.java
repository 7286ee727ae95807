// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import io.quorumlock.http.Answer;
import io.quorumlock.http.ProblemException;
import java.util.LinkedHashMap;
import java.util.Map;

/** The answers of JSON-RPC 2.0. As in MCP, an error has no id if that of its request could not be read. */
final class JsonRpc {
    static final int PARSE_ERROR = -32700;
    static final int INVALID_REQUEST = -32600;
    static final int METHOD_NOT_FOUND = -32601;
    static final int INVALID_PARAMS = -32602;
    /** Of MCP. */
    static final int HEADER_MISMATCH = -32020;
    /** Of MCP. */
    static final int UNSUPPORTED_VERSION = -32022;

    private JsonRpc() {}

    /** Returns whether it is the id of a request: a string or a whole number, also if it is written like 1.0. */
    static boolean isId(JsonNode id) {
        return id.isTextual() || id.canConvertToExactIntegral();
    }

    static Answer result(JsonNode id, Map<String, Object> result) {
        return answer(200, id, "result", result);
    }

    static Answer error(int status, JsonNode id, Map<String, Object> error) {
        return answer(status, id, "error", error);
    }

    /** @param text for people; contains no text of an exception */
    static ProblemException refusal(int status, JsonNode id, int code, String text) {
        return new ProblemException(error(status, id, Map.of("code", code, "message", text)));
    }

    private static Answer answer(int status, JsonNode id, String outcome, Map<String, Object> body) {
        Map<String, Object> message = new LinkedHashMap<>();
        message.put("jsonrpc", "2.0");
        if (isId(id)) {
            message.put("id", id);
        }
        message.put(outcome, body);
        return Answer.of(status, message);
    }
}
