// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.stream.Stream;

/** A rule: each container of the project has all three probes, and each probe uses the right path. */
final class Probes {
    static final Map<String, String> PATHS = Map.of(
            "startupProbe", "/q/health/started",
            "livenessProbe", "/q/health/live",
            "readinessProbe", "/q/health/ready");

    private Probes() {}

    static Stream<String> breaches(Manifests manifests) {
        return manifests.all().stream().flatMap(manifest -> manifest.containers().stream()
                .filter(Probes::isOurs)
                .flatMap(container -> PATHS.keySet().stream()
                        .flatMap(probe -> wrong(container, probe))
                        .map(wrong -> manifest + " " + wrong)));
    }

    private static boolean isOurs(JsonNode container) {
        String image = container.path("image").asText();
        return image.startsWith("quorumlock:") || image.startsWith("redis:");
    }

    private static Stream<String> wrong(JsonNode container, String name) {
        JsonNode probe = container.path(name);
        JsonNode http = probe.path("httpGet");
        JsonNode command = probe.at("/exec/command");
        if (http.isMissingNode() && command.isMissingNode()) {
            return Stream.of("has no " + name);
        }
        boolean master = container.path("image").asText().startsWith("redis:");
        String wanted = master ? "redis-cli" : PATHS.get(name);
        boolean usesTarget = http.path("path").asText().equals(wanted)
                || Manifest.items(command).anyMatch(word -> word.asText().startsWith(wanted));
        boolean usesOpenPort = http.isMissingNode()
                || Ports.names(container).contains(http.path("port").asText());
        return Stream.of(
                        usesTarget ? "" : name + " does not use " + wanted,
                        usesOpenPort ? "" : name + " uses a port that the container does not declare")
                .filter(wrong -> !wrong.isEmpty());
    }
}
