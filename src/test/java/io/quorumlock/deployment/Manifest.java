// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** A Kubernetes object with its file. */
record Manifest(String file, JsonNode content) {

    String kind() {
        return content.path("kind").asText();
    }

    String name() {
        return content.at("/metadata/name").asText();
    }

    boolean is(String kind) {
        return kind().equals(kind);
    }

    boolean runsPods() {
        return !podSpec().isMissingNode();
    }

    JsonNode podSpec() {
        return podTemplate().path("spec");
    }

    Map<String, String> podLabels() {
        return texts(podTemplate().at("/metadata/labels"));
    }

    private JsonNode podTemplate() {
        return content.at(is("CronJob") ? "/spec/jobTemplate/spec/template" : "/spec/template");
    }

    List<JsonNode> containers() {
        return Stream.of("initContainers", "containers")
                .flatMap(list -> items(podSpec().path(list)))
                .toList();
    }

    /** Returns a setting of a container, or else of its pod. */
    static JsonNode security(JsonNode pod, JsonNode container, String name) {
        JsonNode own = container.path("securityContext").path(name);
        return own.isMissingNode() ? pod.path("securityContext").path(name) : own;
    }

    static Stream<JsonNode> items(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false);
    }

    static Map<String, String> texts(JsonNode object) {
        return object.properties().stream().collect(Collectors.toMap(Map.Entry::getKey, entry -> entry.getValue()
                .asText()));
    }

    static Optional<JsonNode> present(JsonNode node) {
        return node.isMissingNode() ? Optional.empty() : Optional.of(node);
    }

    @Override
    public String toString() {
        return file + " " + kind() + "/" + name();
    }
}
