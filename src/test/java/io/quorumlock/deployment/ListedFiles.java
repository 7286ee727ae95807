// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A rule: each kustomization lists only files that exist, and all files in its folder. */
final class ListedFiles {
    private ListedFiles() {}

    static Stream<String> breaches(Manifests manifests) {
        return manifests.kustomizations().stream()
                .flatMap(kustomization ->
                        Stream.concat(missing(kustomization, manifests), unlisted(kustomization, manifests)));
    }

    private static Stream<String> missing(Manifest kustomization, Manifests manifests) {
        return listed(kustomization)
                .filter(file -> !manifests.texts().containsKey(file)
                        && !manifests.texts().containsKey(file + "/" + Manifests.KUSTOMIZATION))
                .map(file -> kustomization.file() + " lists " + file + ", which does not exist");
    }

    private static Stream<String> unlisted(Manifest kustomization, Manifests manifests) {
        Set<String> listed = listed(kustomization).collect(Collectors.toSet());
        Path folder = Path.of(kustomization.file()).getParent();
        return manifests.texts().keySet().stream()
                .filter(file -> folder.equals(Path.of(file).getParent()))
                .filter(file -> !file.equals(kustomization.file()) && !listed.contains(file))
                .map(file -> kustomization.file() + " does not list " + file);
    }

    private static Stream<String> listed(Manifest kustomization) {
        JsonNode content = kustomization.content();
        return Stream.of(
                        Manifest.items(content.path("resources")).map(JsonNode::asText),
                        Manifest.items(content.path("components")).map(JsonNode::asText),
                        Manifest.items(content.path("patches"))
                                .map(patch -> patch.path("path").asText()),
                        Manifest.items(content.path("configMapGenerator"))
                                .flatMap(map -> Manifest.items(map.path("files")))
                                .map(JsonNode::asText))
                .flatMap(files -> files)
                .map(file -> Manifests.beside(kustomization.file(), file));
    }
}
