// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A rule: a service with TLS has a management port for its probes, its certificates are mounted, and clients are admitted to
 * the port with TLS only.
 */
final class TlsPorts {
    private static final String CLIENT = "quorumlock.io/client";

    private TlsPorts() {}

    static Stream<String> breaches(Manifests manifests) {
        Stream<String> containers = manifests.all().stream().flatMap(manifest -> manifest.containers().stream()
                .filter(TlsPorts::hasTls)
                .flatMap(container -> wrong(container).map(wrong -> manifest + " " + wrong)));
        Stream<String> policies = manifests.all("NetworkPolicy").stream().flatMap(policy -> admitted(policy)
                .filter(port -> !expected(manifests).contains(port))
                .map(port -> policy + " admits clients to port " + port));
        return Stream.concat(containers, policies);
    }

    private static Stream<String> wrong(JsonNode container) {
        Map<String, String> variables = variables(container);
        Set<String> mounts = Manifest.items(container.path("volumeMounts"))
                .map(mount -> mount.path("mountPath").asText())
                .collect(Collectors.toSet());
        Stream<String> unmounted = variables.entrySet().stream()
                .filter(variable -> variable.getKey().startsWith("QUARKUS_TLS_")
                        && variable.getValue().startsWith("/"))
                .filter(variable ->
                        mounts.stream().noneMatch(path -> variable.getValue().startsWith(path + "/")))
                .map(variable -> variable.getKey() + " is in no mounted volume");
        boolean managed = "true".equals(variables.get("QUORUMLOCK_MANAGEMENT_ENABLED"));
        return managed ? unmounted : Stream.concat(unmounted, Stream.of("has no port for probes without TLS"));
    }

    /** Returns the ports to which a policy admits pods with the label of clients. */
    private static Stream<Integer> admitted(Manifest policy) {
        return Manifest.items(policy.content().at("/spec/ingress"))
                .filter(rule -> rule.path("from").findParents(CLIENT).size() > 0)
                .flatMap(rule -> Manifest.items(rule.path("ports")))
                .map(port -> port.path("port").asInt());
    }

    /** Returns the ports for clients of the complete workloads. */
    private static Set<Integer> expected(Manifests manifests) {
        return manifests.all().stream()
                .flatMap(manifest -> manifest.containers().stream())
                .flatMap(container -> Manifest.items(container.path("ports"))
                        .filter(port -> port.path("name").asText().equals(hasTls(container) ? "https" : "http")))
                .map(port -> port.path("containerPort").asInt())
                .collect(Collectors.toSet());
    }

    private static boolean hasTls(JsonNode container) {
        return variables(container).containsKey("QUARKUS_HTTP_TLS_CONFIGURATION_NAME");
    }

    private static Map<String, String> variables(JsonNode container) {
        return Manifest.items(container.path("env"))
                .collect(Collectors.toMap(
                        variable -> variable.path("name").asText(),
                        variable -> variable.path("value").asText(),
                        (first, second) -> second));
    }
}
