package io.quorumlock.testing;

import com.fasterxml.jackson.databind.JsonNode;

/** Keeps the types of JSON Schema. */
public final class JsonType {
    private JsonType() {}

    /** Returns whether a value is of a type; of one that JSON Schema does not name, none is. */
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
