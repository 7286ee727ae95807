// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.deployment;

import static io.quorumlock.deployment.Manifest.security;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A rule: each pod conforms to the profile "restricted" of the Kubernetes pod security standards, and to stricter rules
 * of the project.
 */
final class RestrictedPods {
    private static final Set<String> VOLUMES = Set.of("configMap", "emptyDir", "secret", "persistentVolumeClaim");
    private static final Set<String> OF_THE_HOST = Set.of("hostNetwork", "hostPID", "hostIPC");

    private RestrictedPods() {}

    static Stream<String> breaches(Manifests manifests) {
        Stream<String> pods = manifests.all().stream()
                .filter(Manifest::runsPods)
                .flatMap(manifest ->
                        missing(pod(manifest.podSpec())).map(missing -> manifest + " must have " + missing));
        Stream<String> containers = manifests.all().stream().flatMap(manifest -> manifest.containers().stream()
                .filter(container -> container.has("image"))
                .flatMap(container -> missing(container(manifest.podSpec(), container))
                        .map(missing -> manifest + " must have " + missing)));
        return Stream.concat(pods, containers);
    }

    private static Map<String, Boolean> pod(JsonNode pod) {
        return Map.of(
                "automountServiceAccountToken: false", isFalse(pod.path("automountServiceAccountToken")),
                "its own network and processes", OF_THE_HOST.stream().noneMatch(pod::has),
                "only allowed volumes", Manifest.items(pod.path("volumes")).allMatch(RestrictedPods::isAllowed));
    }

    private static Map<String, Boolean> container(JsonNode pod, JsonNode container) {
        Map<String, Boolean> holds = new LinkedHashMap<>();
        JsonNode capabilities = security(pod, container, "capabilities");
        holds.put("runAsNonRoot", security(pod, container, "runAsNonRoot").asBoolean());
        holds.put("a numeric user", security(pod, container, "runAsUser").asInt() > 0);
        holds.put(
                "seccompProfile",
                security(pod, container, "seccompProfile").path("type").asText().equals("RuntimeDefault"));
        holds.put("allowPrivilegeEscalation: false", isFalse(security(pod, container, "allowPrivilegeEscalation")));
        holds.put(
                "readOnlyRootFilesystem",
                security(pod, container, "readOnlyRootFilesystem").asBoolean());
        holds.put("drop: [ALL]", capabilities.path("drop").path(0).asText().equals("ALL") && !capabilities.has("add"));
        holds.put("privileged: false", !security(pod, container, "privileged").asBoolean());
        holds.put(
                "requests for CPU and memory",
                container.at("/resources/requests").size() == 2);
        holds.put("a memory limit", container.at("/resources/limits").has("memory"));
        holds.put("an image version", container.path("image").asText().matches(".+:(?!latest$).+"));
        return holds;
    }

    private static Stream<String> missing(Map<String, Boolean> holds) {
        return holds.entrySet().stream().filter(entry -> !entry.getValue()).map(Map.Entry::getKey);
    }

    private static boolean isAllowed(JsonNode volume) {
        return volume.properties().stream()
                .map(Map.Entry::getKey)
                .allMatch(key -> key.equals("name") || VOLUMES.contains(key));
    }

    private static boolean isFalse(JsonNode value) {
        return value.isBoolean() && !value.asBoolean();
    }
}
