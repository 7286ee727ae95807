// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The kinds that only the chart has. They follow {@link ManifestRule#FIELDS_ARE_KNOWN} like the others. */
final class HelmKinds {
    private static final Map<String, String> KINDS = Map.of(
            "Pod", "api.core.v1.Pod",
            "Ingress", "api.networking.v1.Ingress",
            "HorizontalPodAutoscaler", "api.autoscaling.v2.HorizontalPodAutoscaler");
    /** From Kubernetes' OpenAPI document (Apache-2.0), as {@link KnownFields} has those of the other kinds. */
    private static final String DEFINITIONS =
            """
            {
              "api.core.v1.Pod":
                {"properties": {"apiVersion": {"type": "string", "enum": ["v1"]}, "kind": {"type": "string",
                "enum": ["Pod"]}, "metadata": {"$ref": "apimachinery.pkg.apis.meta.v1.ObjectMeta"},
                "spec": {"$ref": "api.core.v1.PodSpec"}}, "type": "object", "additionalProperties": false},
              "api.networking.v1.Ingress":
                {"properties": {"apiVersion": {"type": "string", "enum": ["networking.k8s.io/v1"]},
                "kind": {"type": "string", "enum": ["Ingress"]},
                "metadata": {"$ref": "apimachinery.pkg.apis.meta.v1.ObjectMeta"},
                "spec": {"$ref": "api.networking.v1.IngressSpec"}}, "type": "object", "additionalProperties": false},
              "api.networking.v1.IngressSpec":
                {"properties": {"defaultBackend": {"$ref": "api.networking.v1.IngressBackend"},
                "ingressClassName": {"type": "string"},
                "rules": {"items": {"$ref": "api.networking.v1.IngressRule"}, "type": "array"},
                "tls": {"items": {"$ref": "api.networking.v1.IngressTLS"}, "type": "array"}}, "type": "object",
                "additionalProperties": false},
              "api.networking.v1.IngressTLS":
                {"properties": {"hosts": {"items": {"type": "string"}, "type": "array"},
                "secretName": {"type": "string"}}, "type": "object", "additionalProperties": false},
              "api.networking.v1.IngressRule":
                {"properties": {"host": {"type": "string"},
                "http": {"$ref": "api.networking.v1.HTTPIngressRuleValue"}}, "type": "object",
                "additionalProperties": false},
              "api.networking.v1.HTTPIngressRuleValue":
                {"properties": {"paths": {"items": {"$ref": "api.networking.v1.HTTPIngressPath"}, "type": "array"}},
                "required": ["paths"], "type": "object", "additionalProperties": false},
              "api.networking.v1.HTTPIngressPath":
                {"properties": {"backend": {"$ref": "api.networking.v1.IngressBackend"}, "path": {"type": "string"},
                "pathType": {"type": "string"}}, "required": ["pathType", "backend"], "type": "object",
                "additionalProperties": false},
              "api.networking.v1.IngressBackend":
                {"properties": {"resource": {"$ref": "api.core.v1.TypedLocalObjectReference"},
                "service": {"$ref": "api.networking.v1.IngressServiceBackend"}}, "type": "object",
                "additionalProperties": false},
              "api.networking.v1.IngressServiceBackend":
                {"properties": {"name": {"type": "string"},
                "port": {"$ref": "api.networking.v1.ServiceBackendPort"}}, "required": ["name"], "type": "object",
                "additionalProperties": false},
              "api.networking.v1.ServiceBackendPort":
                {"properties": {"name": {"type": "string"}, "number": {"format": "int32", "type": "integer"}},
                "type": "object", "additionalProperties": false},
              "api.autoscaling.v2.HorizontalPodAutoscaler":
                {"properties": {"apiVersion": {"type": "string", "enum": ["autoscaling/v2"]},
                "kind": {"type": "string", "enum": ["HorizontalPodAutoscaler"]},
                "metadata": {"$ref": "apimachinery.pkg.apis.meta.v1.ObjectMeta"},
                "spec": {"$ref": "api.autoscaling.v2.HorizontalPodAutoscalerSpec"}}, "type": "object",
                "additionalProperties": false},
              "api.autoscaling.v2.HorizontalPodAutoscalerSpec":
                {"properties": {"maxReplicas": {"format": "int32", "type": "integer"},
                "metrics": {"items": {"$ref": "api.autoscaling.v2.MetricSpec"}, "type": "array"},
                "minReplicas": {"format": "int32", "type": "integer"},
                "scaleTargetRef": {"$ref": "api.autoscaling.v2.CrossVersionObjectReference"}},
                "required": ["scaleTargetRef", "maxReplicas"], "type": "object", "additionalProperties": false},
              "api.autoscaling.v2.CrossVersionObjectReference":
                {"properties": {"apiVersion": {"type": "string"}, "kind": {"type": "string"},
                "name": {"type": "string"}}, "required": ["kind", "name"], "type": "object",
                "additionalProperties": false},
              "api.autoscaling.v2.MetricSpec":
                {"properties": {"resource": {"$ref": "api.autoscaling.v2.ResourceMetricSource"},
                "type": {"type": "string"}}, "required": ["type"], "type": "object", "additionalProperties": false},
              "api.autoscaling.v2.ResourceMetricSource":
                {"properties": {"name": {"type": "string"}, "target": {"$ref": "api.autoscaling.v2.MetricTarget"}},
                "required": ["name", "target"], "type": "object", "additionalProperties": false},
              "api.autoscaling.v2.MetricTarget":
                {"properties": {"averageUtilization": {"format": "int32", "type": "integer"},
                "averageValue": {"$ref": "apimachinery.pkg.api.resource.Quantity"}, "type": {"type": "string"},
                "value": {"$ref": "apimachinery.pkg.api.resource.Quantity"}}, "required": ["type"],
                "type": "object", "additionalProperties": false}
            }
            """;

    private HelmKinds() {}

    /** Returns the breaches without those of {@link KnownFields} that these kinds are unknown. */
    static List<String> known(List<String> breaches) {
        return breaches.stream()
                .filter(breach -> !breach.endsWith(" has an unknown kind")
                        || KINDS.keySet().stream().noneMatch(kind -> breach.contains(" " + kind + "/")))
                .toList();
    }

    static Stream<String> breaches(Manifests manifests) {
        return manifests.all().stream()
                .filter(manifest -> KINDS.containsKey(manifest.kind()))
                .flatMap(manifest -> new DefinitionCheck(definitions())
                        .errors(KINDS.get(manifest.kind()), manifest.content()).stream()
                                .map(error -> manifest + " " + error));
    }

    private static JsonNode definitions() {
        try (InputStream others = HelmKinds.class.getResourceAsStream("/kubernetes/definitions-1.29.json")) {
            ObjectMapper json = new ObjectMapper();
            ObjectNode all = (ObjectNode) json.readTree(others);
            return all.setAll((ObjectNode) json.readTree(DEFINITIONS));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
