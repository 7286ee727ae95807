// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import static io.quorumlock.http.SchemaCheck.object;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import org.yaml.snakeyaml.Yaml;

/** The contract in openapi.yaml. It checks answers and records the operations and statuses they used. Thread-safe. */
public final class OpenApiContract {
    private static final String ELSEWHERE = "x-elsewhere";
    private static final String TESTED_BY = "x-tested-by";

    private final Map<String, Object> document;
    private final Set<String> seen = new ConcurrentSkipListSet<>();

    private OpenApiContract(Map<String, Object> document) {
        this.document = document;
    }

    /** Loads the contract from the class path, as the service does. */
    public static OpenApiContract load() {
        try (InputStream file = OpenApiContract.class.getResourceAsStream("/META-INF/resources/openapi.yaml")) {
            return new OpenApiContract(object(new Yaml().load(file)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads the contract that a replica of any version serves. */
    public static OpenApiContract of(String yaml) {
        return new OpenApiContract(object(new Yaml().load(yaml)));
    }

    /** Fails if the contract does not allow this answer to this request. */
    public void check(String method, String target, int status, Map<String, String> headers, String body) {
        String path = target.contains("?") ? target.substring(0, target.indexOf('?')) : target;
        Optional<String> template = template(path, method);
        Map<String, Object> responses =
                template.map(known -> responses(known, method)).orElse(Map.of());
        String code = Integer.toString(status);
        if (responses.containsKey(code)) {
            seen.add(name(method, template.orElseThrow(), code));
        } else {
            responses = object(document.get(ELSEWHERE));
        }
        assertTrue(responses.containsKey(code), () -> method + " " + path + " must not answer " + status + " " + body);
        Map<String, Object> response = component(responses.get(code));
        checkHeaders(response, headers);
        if (!method.equals("HEAD")) {
            checkBody(response, headers, body);
        }
    }

    /** Fails if this JSON does not conform to the schema with this name. */
    public void check(String schema, JsonNode json) {
        checkValue(json, object(schemas().get(schema)));
    }

    public void check(RawRequest request, RawAnswer answer) {
        check(request.method(), request.target(), answer.status(), answer.headers(), answer.body());
    }

    /** Returns the operations and statuses that were not seen and are not assigned to another test. */
    Set<String> unexercised() {
        Set<String> missing = new TreeSet<>();
        forEachOperation((template, method, operation) -> {
            Map<String, Object> elsewhere = object(operation.get(TESTED_BY));
            object(operation.get("responses")).keySet().stream()
                    .filter(code -> !elsewhere.containsKey(code))
                    .forEach(code -> missing.add(name(method, template, code)));
        });
        missing.removeAll(seen);
        return missing;
    }

    /** Returns the tests to which the contract assigns statuses. */
    Set<String> namedTests() {
        Set<String> tests = new TreeSet<>();
        forEachOperation((template, method, operation) ->
                object(operation.get(TESTED_BY)).values().forEach(test -> tests.add((String) test)));
        return tests;
    }

    /** Returns the types of problems in the contract. */
    Set<String> problemTypes() {
        Set<String> types = new TreeSet<>();
        schemas().values().forEach(schema -> {
            Map<String, Object> type =
                    object(object(object(schema).get("properties")).get("type"));
            ((List<?>) type.getOrDefault("enum", List.of())).forEach(uri -> types.add((String) uri));
        });
        return types;
    }

    private interface Visitor {
        void visit(String template, String method, Map<String, Object> operation);
    }

    private void forEachOperation(Visitor visitor) {
        object(document.get("paths")).forEach((template, item) -> object(item).forEach((method, operation) -> {
            if (!method.equals("parameters")) {
                visitor.visit(template, method.toUpperCase(Locale.ROOT), object(operation));
            }
        }));
    }

    /** Returns the longest template of the method that matches. A name may contain slashes. */
    private Optional<String> template(String path, String method) {
        return object(document.get("paths")).keySet().stream()
                .sorted(Comparator.comparing(String::length).reversed())
                .filter(template -> !responses(template, method).isEmpty()
                        && path.matches(template.replace("{name}", ".+").replace("{slug}", "[^/]+")))
                .findFirst();
    }

    private Map<String, Object> responses(String template, String method) {
        Map<String, Object> item = object(object(document.get("paths")).get(template));
        return object(object(item.get(method.toLowerCase(Locale.ROOT))).get("responses"));
    }

    private void checkHeaders(Map<String, Object> response, Map<String, String> headers) {
        RawAnswer answer = new RawAnswer(0, headers, "");
        object(response.get("headers")).forEach((name, header) -> {
            assertTrue(answer.headers().containsKey(name), () -> "missing header " + name);
            checkValue(
                    TextNode.valueOf(answer.header(name)),
                    object(component(header).get("schema")));
        });
    }

    private void checkBody(Map<String, Object> response, Map<String, String> headers, String body) {
        Map<String, Object> content = object(response.get("content"));
        if (content.isEmpty()) {
            assertEquals("", body, "must have no body");
            return;
        }
        String type = new RawAnswer(0, headers, body).header("Content-Type").split(";")[0];
        assertTrue(content.containsKey(type), () -> "must not be " + type);
        boolean text = type.startsWith("text/");
        JsonNode value = text ? TextNode.valueOf(body) : new RawAnswer(0, headers, body).json();
        checkValue(value, object(object(content.get(type)).get("schema")));
    }

    private void checkValue(JsonNode value, Map<String, Object> schema) {
        List<String> errors = new ArrayList<>(SchemaCheck.errors(value, schema, schemas()));
        assertTrue(errors.isEmpty(), () -> errors + " in " + value);
    }

    /** Resolves a reference, if there is one. */
    private Map<String, Object> component(Object value) {
        Object reference = object(value).get("$ref");
        if (reference == null) {
            return object(value);
        }
        String[] steps = ((String) reference).split("/");
        return object(object(object(document.get("components")).get(steps[2])).get(steps[3]));
    }

    private Map<String, Object> schemas() {
        return object(object(document.get("components")).get("schemas"));
    }

    private static String name(String method, String template, String code) {
        return method + " " + template + " " + code;
    }
}
