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
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.yaml.snakeyaml.Yaml;

/** Files with manifests, by their path in one folder. */
record Manifests(Map<String, String> texts) {
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

    List<Manifest> all() {
        return texts.keySet().stream()
                .filter(file -> file.endsWith(".yaml"))
                .flatMap(file -> documents(texts.get(file)).map(content -> new Manifest(file, content)))
                .toList();
    }

    List<Manifest> all(String kind) {
        return all().stream().filter(manifest -> manifest.is(kind)).toList();
    }

    private static Stream<JsonNode> documents(String text) {
        return StreamSupport.stream(new Yaml().loadAll(text).spliterator(), false)
                .filter(Objects::nonNull)
                .map(document -> JSON.<JsonNode>valueToTree(document));
    }
}
