// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.deployment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quorumlock.documentation.Shell;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The Helm chart. Its objects follow the rules of the manifests and are equal to those of kustomize where it matters. */
@Tag("tools")
@Execution(ExecutionMode.CONCURRENT)
class HelmChartTest {
    private static final Path KUSTOMIZE = Path.of("deploy/kubernetes");
    private static final String RELEASE = "app.kubernetes.io/instance";
    private static final String[] OPEN = {"--set", "security.open=true"};

    static Stream<String> examples() {
        return HelmChart.examples();
    }

    @ParameterizedTest
    @MethodSource("examples")
    void renderedChartFollowsRules(String example) {
        Manifests manifests = HelmChart.PROJECT.rendered(HelmChart.values(example));
        assertTrue(manifests.complete().stream().anyMatch(Manifest::runsPods));
        for (ManifestRule rule : ManifestRule.values()) {
            assertEquals(List.of(), rule.breachesOf(manifests), rule::name);
        }
    }

    @ParameterizedTest
    @MethodSource("examples")
    void lintAcceptsChart(String example) {
        Shell.Result lint = HelmChart.PROJECT.lint(HelmChart.values(example));
        assertTrue(lint.succeeded(), lint::output);
    }

    /** A rule that cannot fail for the chart checks nothing. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "FIELDS_ARE_KNOWN | default | deployment | enableServiceLinks | enableServiceLink | unknown field",
                "FIELDS_ARE_KNOWN | default | poddisruptionbudgets | maxUnavailable: 1 | maxUnavailable: [1] | not one of",
                "FIELDS_ARE_KNOWN | all | ingress | ingressClassName | ingressClass | unknown field",
                "FIELDS_ARE_KNOWN | all | autoscaler | averageUtilization | averageUsage | unknown field",
                "FIELDS_ARE_KNOWN | all | tests/connection | activeDeadlineSeconds | deadline | unknown field",
                "PROBES_USE_EXISTING_PATHS | default | deployment | /q/health/live | /q/health/ready | livenessProbe",
                "SELECTORS_MATCH_PODS | default | poddisruptionbudgets | masters.selector | masters.labels | matches nothing",
                "VARIABLES_ARE_SETTINGS | sidecar | _sidecar | QUORUMLOCK_HEALTH | QUORUMLOCK_H | not a setting",
                "VARIABLES_ARE_SETTINGS | default | _helpers | printf \"redis:// | printf \"redis://$(A)@x:1,redis:// | lists",
                "REFERENCES_ARE_DEFINED | external-masters | secrets | -authorities | -x | secret quorumlock-authorities",
                "PODS_ARE_RESTRICTED | default | _helpers | drop: [ALL] | drop: [KILL] | must have drop: [ALL]",
                "PORTS_ARE_OPEN | default | networkpolicies | port: 6379 | port: 6380 | allows port 6380",
                "TLS_IS_COMPLETE | tls | networkpolicies | ternary 8443 8080 | ternary 8080 8080 | admits clients",
                "TLS_IS_COMPLETE | tls | deployment | QUORUMLOCK_MANAGEMENT_ENABLED | X | no port for probes"
            })
    void ruleDetectsBreach(
            ManifestRule rule,
            String example,
            String file,
            String from,
            String to,
            String message,
            @TempDir Path copy) {
        String path = "templates/" + file + (file.startsWith("_") ? ".tpl" : ".yaml");
        Manifests broken = HelmChart.PROJECT.broken(copy, path, from, to).rendered(HelmChart.values(example));
        List<String> found = rule.breachesOf(broken);
        assertTrue(found.stream().anyMatch(breach -> breach.contains(message)), found::toString);
    }

    @ParameterizedTest
    @ValueSource(strings = {"masters/redis.conf", "masters/start.sh", "masters/users.acl"})
    void filesAreEqualToThoseOfKustomize(String file) {
        Path original = KUSTOMIZE.resolve(file);
        Path copy = HelmChart.PROJECT.folder().resolve("files").resolve(original.getFileName());
        assertEquals(Monitoring.text(original), Monitoring.text(copy));
    }

    @Test
    void podsAreEqualToThoseOfKustomize() {
        Manifests chart = HelmChart.PROJECT.rendered(HelmChart.values("default"));
        Manifests kustomize = Manifests.below(KUSTOMIZE);
        for (String kind : List.of("Deployment", "StatefulSet")) {
            JsonNode ours = chart.all(kind).get(0).content().path("spec");
            JsonNode theirs = kustomize.complete().stream()
                    .filter(manifest -> manifest.is(kind) && manifest.file().matches("(base|masters)/.*"))
                    .findFirst()
                    .orElseThrow()
                    .content()
                    .path("spec");
            assertEqualFields(theirs, ours, "replicas", "strategy", "updateStrategy", "minReadySeconds");
            assertEqualFields(theirs, ours, "podManagementPolicy", "serviceName", "volumeClaimTemplates");
            JsonNode pod = ours.at("/template/spec");
            assertEqualFields(theirs.at("/template/spec"), pod, "securityContext", "terminationGracePeriodSeconds");
            assertEqualFields(theirs.at("/template/spec"), pod, "automountServiceAccountToken", "enableServiceLinks");
            JsonNode container = theirs.at("/template/spec/containers/0");
            assertEqualFields(container, pod.at("/containers/0"), "image", "command", "ports", "lifecycle");
            assertEqualFields(container, pod.at("/containers/0"), "startupProbe", "livenessProbe", "readinessProbe");
            assertEqualFields(container, pod.at("/containers/0"), "resources", "securityContext");
            assertEqualFields(theirs.at("/template/spec"), pod, "affinity", "topologySpreadConstraints");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"NetworkPolicy", "PodDisruptionBudget", "Service"})
    void otherObjectsAreEqualToThoseOfKustomize(String kind) {
        Map<String, JsonNode> chart = HelmChart.PROJECT.rendered(HelmChart.values("default")).all(kind).stream()
                .collect(Collectors.toMap(
                        Manifest::name,
                        manifest -> withoutRelease(manifest.content().path("spec"))));
        Map<String, JsonNode> kustomize = Manifests.below(KUSTOMIZE).complete().stream()
                .filter(manifest -> manifest.is(kind) && manifest.file().matches("(base|masters)/.*"))
                .collect(Collectors.toMap(
                        Manifest::name, manifest -> manifest.content().path("spec")));
        assertEquals(2, chart.size());
        assertEquals(kustomize, chart);
    }

    /** TlsManifestsIT starts the service with these variables. */
    @Test
    void variablesForTlsAreEqualToThoseOfKustomize() {
        Manifests chart = HelmChart.PROJECT.rendered(HelmChart.values("tls"));
        List<JsonNode> ours = Manifest.items(
                        chart.all("Deployment").get(0).podSpec().at("/containers/0/env"))
                .toList();
        Manifests kustomize = Manifests.below(KUSTOMIZE);
        List<JsonNode> theirs = kustomize.all().stream()
                .filter(manifest -> manifest.file().matches("(tls|client-certificates)/deployment.yaml"))
                .flatMap(manifest -> Manifest.items(manifest.podSpec().at("/containers/0/env")))
                .toList();
        assertEquals(7, theirs.size());
        assertTrue(ours.containsAll(theirs), () -> theirs + " " + ours);
    }

    private static void assertEqualFields(JsonNode expected, JsonNode actual, String... fields) {
        for (String field : fields) {
            assertEquals(expected.path(field), withoutRelease(actual.path(field)), field);
        }
    }

    /** Removes the label with the name of the release, which the manifests do not have. */
    private static JsonNode withoutRelease(JsonNode node) {
        JsonNode copy = node.deepCopy();
        copy.findParents(RELEASE).forEach(labels -> ((ObjectNode) labels).remove(RELEASE));
        return copy;
    }

    @Test
    void versionIsThatOfProject() {
        JsonNode chart = Monitoring.yaml(HelmChart.PROJECT.folder().resolve("Chart.yaml"));
        String version = "<version>" + chart.path("appVersion").asText() + "</version>";
        assertTrue(Monitoring.text(Path.of("pom.xml")).contains("<artifactId>quorumlock</artifactId>\n  " + version));
    }

    /** Each value and each group of values has a comment above it, or is one of a group that has one. */
    @Test
    void valuesAreDocumented() {
        List<String> lines = Monitoring.text(HelmChart.PROJECT.folder().resolve("values.yaml"))
                .lines()
                .toList();
        List<String> undocumented = new ArrayList<>();
        for (int i = 1; i < lines.size(); i++) {
            boolean starts = lines.get(i).matches("(  )?\\w+:.*")
                    && !lines.get(i)
                            .matches("  (repository|requests|limits|tag|annotations|maxReplicas"
                                    + "|pullPolicy|enabled|certificate|key|image|resources|interval|cidrs|example):.*");
            if (starts && !lines.get(i - 1).strip().startsWith("#")) {
                undocumented.add(lines.get(i));
            }
        }
        assertEquals(List.of(), undocumented);
    }

    @Test
    void alertsHaveAddressOfRunbookIfConfigured() {
        List<JsonNode> with = alerts(HelmChart.PROJECT.rendered(HelmChart.values("tls")));
        assertEquals(Monitoring.alerts().size(), with.size());
        with.forEach(alert -> assertEquals(
                "https://wiki.example/locks/alerts.md#"
                        + alert.at("/annotations/runbook").asText().split("#")[1],
                alert.at("/annotations/runbook_url").asText()));
        List<JsonNode> without = alerts(HelmChart.PROJECT.rendered(
                "--set", "security.open=true,monitoring.enabled=true,monitoring.labels.release=x"));
        assertEquals(Monitoring.alerts(), without);
    }

    private static List<JsonNode> alerts(Manifests manifests) {
        return manifests.all("PrometheusRule").stream()
                .flatMap(rule -> Manifest.items(rule.content().at("/spec/groups")))
                .flatMap(group -> Manifest.items(group.path("rules")))
                .filter(rule -> rule.has("alert"))
                .toList();
    }

    @Test
    void monitorAndRulesHaveConfiguredLabels() {
        Manifests manifests = HelmChart.PROJECT.rendered(HelmChart.values("tls"));
        for (String kind : List.of("ServiceMonitor", "PrometheusRule")) {
            JsonNode labels = manifests.all(kind).get(0).content().at("/metadata/labels");
            assertEquals("prometheus", labels.path("release").asText());
        }
    }

    @Test
    void mastersCanBeRestartedByHand() {
        Manifests manifests = HelmChart.PROJECT.rendered(OPEN[0], OPEN[1], "--set", "masters.updateStrategy=OnDelete");
        JsonNode strategy = manifests.all("StatefulSet").get(0).content().at("/spec/updateStrategy");
        assertEquals("OnDelete", strategy.path("type").asText());
    }

    /** With the API of a cluster, templates read the secret of the installed release. */
    @Test
    void upgradeKeepsGeneratedPassword() throws IOException {
        try (ClusterApi api = new ClusterApi()) {
            api.secret("quorumlock-masters", "password", "generated-before");
            String[] arguments = {OPEN[0], OPEN[1], "--set", "sidecars.namespaces={a,b}"};
            String[] upgrade = Stream.concat(Stream.of(api.upgrade()), Stream.of(arguments))
                    .toArray(String[]::new);
            List<String> passwords = passwords(HelmChart.PROJECT.rendered(upgrade));
            assertEquals(List.of("generated-before", "generated-before", "generated-before"), passwords);
        }
    }

    @Test
    void generatesRandomPasswordForAllNamespaces() {
        String[] arguments = {OPEN[0], OPEN[1], "--set", "sidecars.namespaces={a,b}"};
        List<String> first = passwords(HelmChart.PROJECT.rendered(arguments));
        List<String> second = passwords(HelmChart.PROJECT.rendered(arguments));
        assertEquals(3, first.size());
        assertEquals(1, first.stream().distinct().count());
        assertTrue(first.get(0).matches("[A-Za-z0-9]{48}"));
        assertFalse(second.contains(first.get(0)));
    }

    private static List<String> passwords(Manifests manifests) {
        return manifests.all("Secret").stream()
                .filter(secret -> secret.name().equals("quorumlock-masters"))
                .map(secret -> secret.content().at("/data/password").asText())
                .map(text -> new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8))
                .toList();
    }
}
