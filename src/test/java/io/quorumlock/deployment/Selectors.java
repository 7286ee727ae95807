// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A rule: each selector matches pods of the project, or pods of users by the label intended for them. */
final class Selectors {
    private static final String OF_USERS = "quorumlock.io/";

    private Selectors() {}

    static Stream<String> breaches(Manifests manifests) {
        Set<Map<String, String>> pods =
                manifests.all().stream().map(Manifest::podLabels).collect(Collectors.toSet());
        return manifests.all().stream().flatMap(manifest -> selectors(manifest).stream()
                .filter(selector -> !matches(selector, candidates(manifest, manifests, pods)))
                .map(selector -> manifest + " matches nothing with " + selector));
    }

    /**
     * Returns the labels that selectors of a kind are matched against. Selectors of workloads match their own pods,
     * those of monitors match services.
     */
    private static Set<Map<String, String>> candidates(
            Manifest manifest, Manifests manifests, Set<Map<String, String>> pods) {
        if (manifest.is("ServiceMonitor")) {
            return manifests.all("Service").stream()
                    .map(service -> Manifest.texts(service.content().at("/metadata/labels")))
                    .collect(Collectors.toSet());
        }
        return manifest.runsPods() ? Set.of(manifest.podLabels()) : pods;
    }

    private static boolean matches(Map<String, String> selector, Set<Map<String, String>> candidates) {
        return selector.keySet().stream().allMatch(label -> label.startsWith(OF_USERS))
                || candidates.stream().anyMatch(labels -> labels.entrySet().containsAll(selector.entrySet()));
    }

    private static List<Map<String, String>> selectors(Manifest manifest) {
        JsonNode spec = manifest.content().path("spec");
        return Stream.of(
                        manifest.is("Service") ? Stream.of(spec.path("selector")) : Stream.<JsonNode>empty(),
                        Stream.of(spec.at("/selector/matchLabels"), spec.at("/podSelector/matchLabels")),
                        labelSelectors(manifest),
                        peers(spec))
                .flatMap(selectors -> selectors)
                .filter(JsonNode::isObject)
                .map(Manifest::texts)
                .toList();
    }

    private static Stream<JsonNode> labelSelectors(Manifest manifest) {
        return manifest.podSpec().findValues("labelSelector").stream().map(selector -> selector.path("matchLabels"));
    }

    /** Returns the selectors of peers in the same namespace. Pods of other namespaces are unknown. */
    private static Stream<JsonNode> peers(JsonNode spec) {
        return Stream.concat(spec.findValues("from").stream(), spec.findValues("to").stream())
                .flatMap(Manifest::items)
                .filter(peer -> !peer.has("namespaceSelector"))
                .map(peer -> peer.at("/podSelector/matchLabels"));
    }
}
