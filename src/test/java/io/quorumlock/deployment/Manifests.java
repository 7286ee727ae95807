// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.yaml.snakeyaml.Yaml;

/** Files with manifests, by their path in one folder. */
record Manifests(Map<String, String> texts) {
    static final String KUSTOMIZATION = "kustomization.yaml";
    private static final ObjectMapper JSON = new ObjectMapper();

    static Manifests below(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            Map<String, String> texts = new TreeMap<>();
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                texts.put(folder.relativize(file).toString(), Files.readString(file));
            }
            return new Manifests(texts);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns a copy with one change. Fails if the file does not contain {@code from}. */
    Manifests broken(String file, String from, String to) {
        String text = texts.getOrDefault(file, "");
        if (!text.contains(from)) {
            throw new IllegalArgumentException(file + " does not contain " + from);
        }
        Map<String, String> copy = new HashMap<>(texts);
        copy.put(file, text.replace(from, to));
        return new Manifests(copy);
    }

    /** Returns the complete objects, without patches. */
    List<Manifest> complete() {
        Set<String> patches = patches();
        return all().stream()
                .filter(manifest -> !patches.contains(manifest.file()))
                .toList();
    }

    /** Returns the objects and the patches. */
    List<Manifest> all() {
        return texts.keySet().stream()
                .filter(file -> file.endsWith(".yaml") && !file.endsWith(KUSTOMIZATION))
                .flatMap(file -> documents(texts.get(file)).map(content -> new Manifest(file, content)))
                .toList();
    }

    List<Manifest> all(String kind) {
        return all().stream().filter(manifest -> manifest.is(kind)).toList();
    }

    /** Returns the kustomizations. */
    List<Manifest> kustomizations() {
        return texts.keySet().stream()
                .filter(file -> file.endsWith(KUSTOMIZATION))
                .flatMap(file -> documents(texts.get(file)).map(content -> new Manifest(file, content)))
                .toList();
    }

    private Set<String> patches() {
        return kustomizations().stream()
                .flatMap(kustomization -> Manifest.items(kustomization.content().path("patches"))
                        .map(patch ->
                                beside(kustomization.file(), patch.path("path").asText())))
                .collect(Collectors.toSet());
    }

    static String beside(String file, String relative) {
        return Path.of(file).resolveSibling(relative).normalize().toString();
    }

    private static Stream<JsonNode> documents(String text) {
        return StreamSupport.stream(new Yaml().loadAll(text).spliterator(), false)
                .filter(Objects::nonNull)
                .map(document -> JSON.<JsonNode>valueToTree(document));
    }
}
