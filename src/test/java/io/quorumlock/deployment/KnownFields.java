// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A rule: each object has only fields that Kubernetes 1.29 knows, and all required ones. This version is the oldest
 * with sidecars.
 */
final class KnownFields {
    /**
     * The definitions of these kinds in Kubernetes' OpenAPI document (Apache-2.0), without descriptions and without
     * additional properties.
     */
    private static final JsonNode DEFINITIONS = definitions();

    private static final Map<String, String> KINDS = Map.ofEntries(
            Map.entry("Deployment", "api.apps.v1.Deployment"),
            Map.entry("StatefulSet", "api.apps.v1.StatefulSet"),
            Map.entry("CronJob", "api.batch.v1.CronJob"),
            Map.entry("Pod", "api.core.v1.Pod"),
            Map.entry("Service", "api.core.v1.Service"),
            Map.entry("Secret", "api.core.v1.Secret"),
            Map.entry("ConfigMap", "api.core.v1.ConfigMap"),
            Map.entry("ServiceAccount", "api.core.v1.ServiceAccount"),
            Map.entry("Namespace", "api.core.v1.Namespace"),
            Map.entry("PodDisruptionBudget", "api.policy.v1.PodDisruptionBudget"),
            Map.entry("NetworkPolicy", "api.networking.v1.NetworkPolicy"),
            Map.entry("Ingress", "api.networking.v1.Ingress"),
            Map.entry("HorizontalPodAutoscaler", "api.autoscaling.v2.HorizontalPodAutoscaler"),
            Map.entry("PriorityClass", "api.scheduling.v1.PriorityClass"));
    /** Kinds of the Prometheus operator, which are not part of Kubernetes. */
    private static final Set<String> ELSEWHERE = Set.of("ServiceMonitor", "PrometheusRule");

    private KnownFields() {}

    static Stream<String> breaches(Manifests manifests) {
        return manifests.all().stream()
                .filter(manifest -> !ELSEWHERE.contains(manifest.kind()))
                .flatMap(manifest -> errors(manifest).stream().map(error -> manifest + " " + error));
    }

    private static List<String> errors(Manifest manifest) {
        String definition = KINDS.get(manifest.kind());
        return definition == null
                ? List.of("has an unknown kind")
                : new DefinitionCheck(DEFINITIONS).errors(definition, manifest.content());
    }

    private static JsonNode definitions() {
        try (InputStream file = KnownFields.class.getResourceAsStream("/kubernetes/definitions-1.29.json")) {
            return new ObjectMapper().readTree(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
