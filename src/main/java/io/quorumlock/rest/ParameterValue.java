// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.rest;

import com.fasterxml.jackson.databind.JsonNode;

/** A parameter as the client sent it, before its type is known. */
record ParameterValue(Source source, Kind kind, String text) {
    /** The place of the parameter in the request. */
    enum Source {
        HEADER,
        QUERY,
        BODY
    }

    /** The type of the value. Text of a header or a query converts to any type, a JSON value only to its own type. */
    enum Kind {
        UNTYPED,
        WHOLE_NUMBER,
        STRING,
        BOOLEAN,
        OTHER
    }

    static ParameterValue untyped(Source source, String text) {
        return new ParameterValue(source, Kind.UNTYPED, text);
    }

    static ParameterValue ofJson(JsonNode value) {
        Kind kind = value.isTextual()
                ? Kind.STRING
                : value.isIntegralNumber() ? Kind.WHOLE_NUMBER : value.isBoolean() ? Kind.BOOLEAN : Kind.OTHER;
        return new ParameterValue(Source.BODY, kind, kind == Kind.OTHER ? "" : value.asText());
    }

    boolean isText() {
        return kind == Kind.UNTYPED || kind == Kind.STRING;
    }

    boolean isTrueOrFalse() {
        boolean spelled = text.equals("true") || text.equals("false");
        return kind == Kind.BOOLEAN || kind == Kind.UNTYPED && spelled;
    }

    /** Returns whether the value is a whole number in the syntax of JSON: no sign but "-", no leading zero. */
    boolean isWholeNumber() {
        return kind == Kind.WHOLE_NUMBER || kind == Kind.UNTYPED && isWholeNumber(text);
    }

    private static boolean isWholeNumber(String text) {
        int first = text.startsWith("-") ? 1 : 0;
        if (first == text.length() || text.charAt(first) == '0' && text.length() > first + 1) {
            return false;
        }
        return text.chars().skip(first).allMatch(c -> c >= '0' && c <= '9');
    }
}
