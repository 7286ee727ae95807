// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.yaml.snakeyaml.Yaml;

/** The alert rules and the dashboard of the service. */
final class Monitoring {
    static final Path FOLDER = Path.of("deploy/monitoring");
    /** The rules, in the chart, which cannot contain files of other folders. */
    static final String ALERTS = "../helm/quorumlock/files/alerts.yml";

    private static final ObjectMapper JSON = new ObjectMapper();

    private Monitoring() {}

    static List<JsonNode> alerts() {
        return allRules().filter(rule -> rule.has("alert")).toList();
    }

    /** Returns the names of the recorded queries. */
    static Set<String> recorded() {
        return allRules()
                .filter(rule -> rule.has("record"))
                .map(rule -> rule.path("record").asText())
                .collect(Collectors.toSet());
    }

    private static Stream<JsonNode> allRules() {
        return Manifest.items(rules().path("groups")).flatMap(group -> Manifest.items(group.path("rules")));
    }

    static JsonNode rules() {
        return yaml(FOLDER.resolve(ALERTS));
    }

    static List<Query> queries() {
        return Stream.concat(
                        allRules()
                                .map(rule -> new Query(
                                        rule.path("alert").asText("a recorded query"),
                                        rule.path("expr").asText())),
                        panelQueries().stream())
                .toList();
    }

    static List<Query> panelQueries() {
        return panels().stream()
                .flatMap(panel -> Manifest.items(panel.path("targets"))
                        .map(target -> new Query(
                                panel.path("title").asText(),
                                target.path("expr").asText())))
                .toList();
    }

    static List<JsonNode> panels() {
        return Manifest.items(yaml(FOLDER.resolve("dashboard.json")).path("panels"))
                .toList();
    }

    /** Reads YAML or JSON, which is a subset of YAML. */
    static JsonNode yaml(Path file) {
        return JSON.valueToTree(new Yaml().load(text(file)));
    }

    static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
