// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import io.quorumlock.testing.JsonType;
import java.util.ArrayList;
import java.util.List;

/** A check of values against the definitions of Kubernetes. Unknown keywords are errors. */
final class DefinitionCheck {
    private final JsonNode definitions;
    private final List<String> errors = new ArrayList<>();

    DefinitionCheck(JsonNode definitions) {
        this.definitions = definitions;
    }

    List<String> errors(String definition, JsonNode value) {
        check("$", value, definitions.path(definition));
        return List.copyOf(errors);
    }

    private void check(String at, JsonNode value, JsonNode schema) {
        schema.properties().forEach(rule -> checkKeyword(at, value, schema, rule.getKey(), rule.getValue()));
    }

    private void checkKeyword(String at, JsonNode value, JsonNode schema, String keyword, JsonNode rule) {
        switch (keyword) {
            case "$ref" -> check(at, value, definitions.path(rule.asText()));
            case "type" -> expect(at, JsonType.is(value, rule.asText()), "is not a valid " + rule + ": " + value);
            case "enum" -> expect(at, Manifest.items(rule).anyMatch(value::equals), "is not one of " + rule);
            case "required" -> rule.forEach(name -> expect(at, value.has(name.asText()), "is missing " + name));
            case "properties" -> {
                if (!schema.has("additionalProperties")) {
                    expect(at, false, "has a definition that allows other fields");
                }
            }
            case "additionalProperties" -> checkFields(at, value, schema.path("properties"), rule);
            case "items" -> value.forEach(item -> check(at + "[]", item, rule));
            case "oneOf" -> expect(at, matchesOne(value, rule), "is not one of " + rule + ": " + value);
            case "format" -> expect(at, isFormat(value, rule.asText()), "is not a valid " + rule + ": " + value);
            default -> expect(at, false, "unknown keyword: " + keyword);
        }
    }

    private void checkFields(String at, JsonNode value, JsonNode known, JsonNode others) {
        value.properties().forEach(field -> {
            String name = field.getKey();
            expect(at, known.has(name) || !others.isBoolean(), "has an unknown field " + name);
            check(at + "." + name, field.getValue(), known.has(name) ? known.path(name) : others);
        });
    }

    private boolean matchesOne(JsonNode value, JsonNode choices) {
        return Manifest.items(choices)
                .anyMatch(choice -> JsonType.is(value, choice.path("type").asText()));
    }

    private void expect(String at, boolean holds, String otherwise) {
        if (!holds) {
            errors.add(at + " " + otherwise);
        }
    }

    private static boolean isFormat(JsonNode value, String format) {
        return switch (format) {
            case "int32" -> value.canConvertToInt();
            case "int64" -> value.canConvertToLong();
            case "byte", "date-time" -> value.isTextual();
            default -> false;
        };
    }
}
