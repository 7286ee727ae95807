// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import static io.quorumlock.http.SchemaCheck.object;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

/**
 * The names of the fields of a lease, of which docs/compatibility.md promises that none occurs twice, at any depth. The client for
 * the shell has no JSON parser and relies on it: a nested {@code fencingToken} would be taken for that of the lease.
 */
class LeaseFieldsTest {
    private static final String SCHEMAS = "#/components/schemas/";

    @ParameterizedTest
    @ValueSource(strings = {"Lease", "SessionExtended"})
    void namesOccurOnce(String schema) throws IOException {
        List<String> names = names(schema, Files.readString(Path.of("openapi.yaml")));
        assertTrue(names.size() >= 3, names::toString);
        assertEquals(List.copyOf(new TreeSet<>(names)), names.stream().sorted().toList());
    }

    @Test
    void findsNestedNames() {
        String nested = "components: {schemas: {A: {properties: {fence: {}, next: {$ref: '#/components/schemas/B'},"
                + " all: {items: {properties: {fence: {}}}}}}, B: {properties: {token: {}}}}}";
        assertEquals(List.of("fence", "next", "token", "all", "fence"), names("A", nested));
    }

    private static List<String> names(String schema, String yaml) {
        Map<String, Object> document = object(new Yaml().load(yaml));
        Map<String, Object> schemas = object(object(document.get("components")).get("schemas"));
        List<String> names = new ArrayList<>();
        collect(object(schemas.get(schema)), schemas, names);
        return names;
    }

    private static void collect(Map<String, Object> schema, Map<String, Object> schemas, List<String> names) {
        if (schema.get("$ref") instanceof String reference) {
            collect(object(schemas.get(reference.substring(SCHEMAS.length()))), schemas, names);
        }
        if (schema.get("properties") instanceof Map<?, ?> properties) {
            properties.forEach((name, property) -> {
                names.add(name.toString());
                collect(object(property), schemas, names);
            });
        }
        if (schema.containsKey("items")) {
            collect(object(schema.get("items")), schemas, names);
        }
    }
}
