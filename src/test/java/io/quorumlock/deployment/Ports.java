// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A rule: services, monitors and network policies use ports that are open, and each pod has network policies. */
final class Ports {
    private Ports() {}

    static Stream<String> breaches(Manifests manifests) {
        return Stream.of(
                        manifests.all("Service").stream().flatMap(service -> ofService(service, manifests)),
                        manifests.all("ServiceMonitor").stream().flatMap(monitor -> ofMonitor(monitor, manifests)),
                        manifests.all("NetworkPolicy").stream().flatMap(policy -> ofPolicy(policy, manifests)),
                        ours(manifests).flatMap(pods -> withoutPolicy(pods, manifests)))
                .flatMap(breaches -> breaches);
    }

    static Set<String> names(JsonNode container) {
        return Manifest.items(container.path("ports"))
                .map(port -> port.path("name").asText())
                .collect(Collectors.toSet());
    }

    private static Stream<String> ofService(Manifest service, Manifests manifests) {
        JsonNode spec = service.content().path("spec");
        return Manifest.items(spec.path("ports"))
                .map(port -> port.path("targetPort").asText())
                .filter(target -> containers(spec.path("selector"), manifests)
                        .noneMatch(container -> names(container).contains(target)))
                .map(target -> service + " targets " + target + ", which no pod has");
    }

    private static Stream<String> ofMonitor(Manifest monitor, Manifests manifests) {
        Set<String> ports = manifests.all("Service").stream()
                .filter(service -> Manifest.texts(service.content().at("/metadata/labels"))
                        .entrySet()
                        .containsAll(Manifest.texts(monitor.content().at("/spec/selector/matchLabels"))
                                .entrySet()))
                .flatMap(service -> Manifest.items(service.content().at("/spec/ports")))
                .map(port -> port.path("name").asText())
                .collect(Collectors.toSet());
        return Manifest.items(monitor.content().at("/spec/endpoints"))
                .filter(endpoint -> !ports.contains(endpoint.path("port").asText())
                        || !endpoint.path("path").asText().equals("/q/metrics"))
                .map(endpoint -> monitor + " scrapes " + endpoint);
    }

    private static Stream<String> ofPolicy(Manifest policy, Manifests manifests) {
        JsonNode spec = policy.content().path("spec");
        Stream<Integer> in =
                Manifest.items(spec.path("ingress")).flatMap(rule -> closed(rule, spec.path("podSelector"), manifests));
        Stream<Integer> out = Manifest.items(spec.path("egress")).flatMap(rule -> Manifest.items(rule.path("to"))
                .filter(peer -> peer.has("podSelector") && !peer.has("namespaceSelector"))
                .flatMap(peer -> closed(rule, peer.path("podSelector"), manifests)));
        return Stream.concat(in, out).map(port -> policy + " allows port " + port + ", on which no pod listens");
    }

    private static Stream<Integer> closed(JsonNode rule, JsonNode selector, Manifests manifests) {
        List<Integer> open = containers(selector.path("matchLabels"), manifests)
                .flatMap(container -> Manifest.items(container.path("ports")))
                .map(port -> port.path("containerPort").asInt())
                .toList();
        return Manifest.items(rule.path("ports"))
                .map(port -> port.path("port").asInt())
                .filter(port -> !open.contains(port));
    }

    private static Stream<String> withoutPolicy(Manifest pods, Manifests manifests) {
        return Stream.of("Ingress", "Egress")
                .filter(direction ->
                        manifests.all("NetworkPolicy").stream().noneMatch(policy -> appliesTo(policy, pods, direction)))
                .map(direction -> pods + " has no policy for " + direction);
    }

    private static boolean appliesTo(Manifest policy, Manifest pods, String direction) {
        JsonNode spec = policy.content().path("spec");
        Map<String, String> selector = Manifest.texts(spec.at("/podSelector/matchLabels"));
        return pods.podLabels().entrySet().containsAll(selector.entrySet())
                && Manifest.items(spec.path("policyTypes"))
                        .anyMatch(type -> type.asText().equals(direction));
    }

    private static Stream<JsonNode> containers(JsonNode selector, Manifests manifests) {
        return manifests.all().stream()
                .filter(Manifest::runsPods)
                .filter(pods -> pods.podLabels()
                        .entrySet()
                        .containsAll(Manifest.texts(selector).entrySet()))
                .flatMap(pods -> pods.containers().stream());
    }

    private static Stream<Manifest> ours(Manifests manifests) {
        return manifests.all().stream()
                .filter(manifest -> "quorumlock".equals(manifest.podLabels().get("app.kubernetes.io/part-of")));
    }
}
