// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import com.fasterxml.jackson.databind.JsonNode;
import io.quorumlock.testing.JsonType;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A check of JSON against the subset of JSON Schema in the contract. Unknown keywords are errors. */
final class SchemaCheck {
    private static final Set<String> ANNOTATIONS = Set.of("description", "example", "default", "title");

    private final Map<String, Object> schemas;
    private final List<String> errors = new ArrayList<>();

    private SchemaCheck(Map<String, Object> schemas) {
        this.schemas = schemas;
    }

    /** Returns the errors of {@code value}. References are resolved in {@code schemas}. */
    static List<String> errors(JsonNode value, Map<String, Object> schema, Map<String, Object> schemas) {
        SchemaCheck check = new SchemaCheck(schemas);
        check.check("$", value, schema);
        return check.errors;
    }

    private void check(String at, JsonNode value, Map<String, Object> schema) {
        schema.forEach((keyword, rule) -> checkKeyword(at, value, schema, keyword, rule));
    }

    private void checkKeyword(String at, JsonNode value, Map<String, Object> schema, String keyword, Object rule) {
        switch (keyword) {
            case "$ref" -> check(at, value, object(schemas.get(last((String) rule))));
            case "oneOf" -> checkOneOf(at, value, (List<?>) rule);
            case "type" -> expect(at, JsonType.is(value, (String) rule), "is not a valid " + rule + ": " + value);
            case "enum" -> expect(at, ((List<?>) rule).contains(scalar(value)), "is not one of " + rule + ": " + value);
            case "required" -> ((List<?>) rule)
                    .forEach(name -> expect(at, value.has((String) name), "is missing " + name));
            case "properties" -> value.properties()
                    .forEach(field -> checkProperty(at, field.getKey(), field.getValue(), schema));
            case "additionalProperties" -> expect(at, rule.equals(false), "only false is supported");
            case "items" -> value.forEach(item -> check(at + "[]", item, object(rule)));
            case "minItems" -> expect(at, value.size() >= (int) rule, "has too few items");
            case "maxItems" -> expect(at, value.size() <= (int) rule, "has too many items");
            case "minimum" -> expect(
                    at, value.asDouble() >= ((Number) rule).doubleValue(), "is below " + rule + ": " + value);
            case "maximum" -> expect(
                    at, value.asDouble() <= ((Number) rule).doubleValue(), "is above " + rule + ": " + value);
            case "minLength" -> expect(at, value.asText().length() >= (int) rule, "is too short");
            case "maxLength" -> expect(at, value.asText().length() <= (int) rule, "is too long");
            case "pattern" -> expect(at, value.asText().matches(".*" + rule + ".*"), "does not match " + rule);
            case "format" -> expect(
                    at, rule.equals("date-time") && isInstant(value), "is not a valid " + rule + ": " + value);
            default -> expect(at, ANNOTATIONS.contains(keyword), "unknown keyword: " + keyword);
        }
    }

    private void checkProperty(String at, String name, JsonNode value, Map<String, Object> schema) {
        Map<String, Object> known = object(schema.get("properties"));
        expect(
                at,
                known.containsKey(name) || !schema.containsKey("additionalProperties"),
                "has an unknown property " + name);
        if (known.containsKey(name)) {
            check(at + "." + name, value, object(known.get(name)));
        }
    }

    private void checkOneOf(String at, JsonNode value, List<?> choices) {
        List<List<String>> results = choices.stream()
                .map(choice -> errors(value, object(choice), schemas))
                .toList();
        long matching = results.stream().filter(List::isEmpty).count();
        expect(at, matching == 1, "matches " + matching + " alternatives instead of one: " + results);
    }

    private void expect(String at, boolean holds, String otherwise) {
        if (!holds) {
            errors.add(at + " " + otherwise);
        }
    }

    private static Object scalar(JsonNode value) {
        return value.isInt() ? (Object) value.intValue() : value.asText();
    }

    private static boolean isInstant(JsonNode value) {
        try {
            return value.asText().endsWith("Z") && Instant.parse(value.asText()) != null;
        } catch (DateTimeParseException e) {
            return false;
        }
    }

    static String last(String reference) {
        return reference.substring(reference.lastIndexOf('/') + 1);
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> object(Object value) {
        return value == null ? Map.of() : (Map<String, Object>) value;
    }
}
