// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.deployment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.quorumlock.documentation.Shell;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The consistency of the manifests with each other, with the definitions of Kubernetes, and with the service. */
@Execution(ExecutionMode.CONCURRENT)
class KubernetesTest {
    private static final Path FOLDER = Path.of("deploy/kubernetes");
    private static final Manifests MANIFESTS = Manifests.below(FOLDER);

    @ParameterizedTest
    @EnumSource
    void manifestsFollowRule(ManifestRule rule) {
        assertEquals(List.of(), rule.breachesOf(MANIFESTS));
    }

    /** A rule that cannot fail checks nothing. */
    @ParameterizedTest
    @MethodSource("io.quorumlock.deployment.ManifestBreach#all")
    void ruleDetectsBreach(ManifestBreach breach) {
        Manifests broken = MANIFESTS.broken(breach.file(), breach.from(), breach.to());
        List<String> found = breach.rule().breachesOf(broken);
        assertTrue(found.stream().anyMatch(message -> message.contains(breach.message())), found::toString);
    }

    @Test
    void everyRuleHasBreach() {
        Set<ManifestRule> broken =
                ManifestBreach.all().map(ManifestBreach::rule).collect(Collectors.toSet());
        assertEquals(EnumSet.allOf(ManifestRule.class), broken);
    }

    /** Kubernetes gets the rendered files, and a patch can break a valid base. */
    @ParameterizedTest
    @Tag("tools")
    @ValueSource(
            strings = {
                "overlays/dev",
                "overlays/prod",
                "examples/cronjob",
                "examples/sidecar",
                "examples/tls",
                "examples/external-masters"
            })
    void renderedManifestsFollowRules(String kustomization) {
        Manifests manifests = rendered(kustomization);
        assertTrue(manifests.complete().stream().anyMatch(Manifest::runsPods), kustomization);
        for (ManifestRule rule : ManifestRule.values()) {
            assertEquals(List.of(), rule.breachesOf(manifests), rule::name);
        }
    }

    @Test
    @Tag("tools")
    void productionPodsHavePriority() {
        Manifests production = rendered("overlays/prod");
        String priority = production.all("PriorityClass").get(0).name();
        List<Manifest> pods =
                production.complete().stream().filter(Manifest::runsPods).toList();
        assertEquals(2, pods.size());
        pods.forEach(manifest -> assertEquals(
                priority, manifest.podSpec().path("priorityClassName").asText(), manifest::toString));
    }

    /** Certificates and keys work together, and clients reach only the port with TLS. */
    @Test
    @Tag("tools")
    void exampleOfMutualTlsAdmitsClientsToPortWithTlsOnly() {
        String rendered = rendered("examples/tls").texts().toString();
        assertTrue(rendered.contains("QUORUMLOCK_SECURITY_CLIENT_CERTIFICATE_REQUIRED"), rendered);
        assertTrue(rendered.contains("QUORUMLOCK_SECURITY_KEYS_FILE"), rendered);
        Manifests broken = rendered("examples/tls").broken("examples/tls.yaml", "port: 8443", "port: 8080");
        assertEquals(
                List.of("examples/tls.yaml NetworkPolicy/quorumlock admits clients to port 8080"),
                ManifestRule.TLS_IS_COMPLETE.breachesOf(broken));
    }

    @Test
    void productionMastersAreSpreadAndPersistent() {
        Manifest masters = MANIFESTS.all("StatefulSet").stream()
                .filter(manifest -> manifest.file().startsWith("masters/"))
                .findFirst()
                .orElseThrow();
        assertEquals(
                "Parallel", masters.content().at("/spec/podManagementPolicy").asText());
        assertTrue(masters.podSpec()
                .at("/affinity/podAntiAffinity")
                .has("requiredDuringSchedulingIgnoredDuringExecution"));
        assertTrue(masters.content().at("/spec/minReadySeconds").asInt() > 62);
        List<String> settings =
                MANIFESTS.texts().get("masters/redis.conf").lines().toList();
        assertTrue(settings.containsAll(List.of(
                "appendonly yes",
                "appendfsync always",
                "no-appendfsync-on-rewrite no",
                "maxmemory-policy noeviction",
                "aclfile /tmp/users.acl")));
    }

    private static Manifests rendered(String kustomization) {
        assumeTrue(Shell.has("kubectl"), "kubectl is not installed");
        String folder = FOLDER.resolve(kustomization).toString();
        Shell.Result result =
                new Shell(Path.of(""), Map.of()).run(Duration.ofMinutes(1), "kubectl", "kustomize", folder);
        assertTrue(result.succeeded(), result::output);
        return new Manifests(Map.of(kustomization + ".yaml", result.output()));
    }
}
