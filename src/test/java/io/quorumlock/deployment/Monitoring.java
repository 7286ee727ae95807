package io.quorumlock.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.yaml.snakeyaml.Yaml;

/** The alert rules and the dashboard of the service. */
final class Monitoring {
    static final Path FOLDER = Path.of("deploy/monitoring");
    private static final ObjectMapper JSON = new ObjectMapper();

    private Monitoring() {}

    static List<JsonNode> alerts() {
        return Manifest.items(rules().at("/groups/0/rules")).toList();
    }

    static JsonNode rules() {
        return yaml(FOLDER.resolve("alerts.yml"));
    }

    static List<Query> queries() {
        return Stream.concat(
                        alerts().stream()
                                .map(alert -> new Query(
                                        alert.path("alert").asText(),
                                        alert.path("expr").asText())),
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
