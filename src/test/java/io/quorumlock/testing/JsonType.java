// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import com.fasterxml.jackson.databind.JsonNode;

/** The types of JSON Schema. */
public final class JsonType {
    private JsonType() {}

    /** Returns whether a value has a type; always false for types that JSON Schema does not define. */
    public static boolean is(JsonNode value, String type) {
        return switch (type) {
            case "object" -> value.isObject();
            case "array" -> value.isArray();
            case "string" -> value.isTextual();
            case "integer" -> value.isIntegralNumber();
            case "number" -> value.isNumber();
            case "boolean" -> value.isBoolean();
            default -> false;
        };
    }
}
