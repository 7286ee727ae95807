// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.deployment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.quorumlock.documentation.Shell;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The Helm chart. Its objects follow the rules of the manifests. */
@Tag("tools")
@Execution(ExecutionMode.CONCURRENT)
class HelmChartTest {
    private static final String[] OPEN = {"--set", "security.open=true"};

    static Stream<String> examples() {
        return HelmChart.examples();
    }

    @ParameterizedTest
    @MethodSource("examples")
    void renderedChartFollowsRules(String example) {
        Manifests manifests = HelmChart.PROJECT.rendered(HelmChart.values(example));
        assertTrue(manifests.all().stream().anyMatch(Manifest::runsPods));
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

    /** The command is in the comment at the beginning of the file. */
    @ParameterizedTest
    @CsvSource({
        "trial.yaml, --set, sidecars.example.enabled=false",
        "sidecar.yaml, --show-only, templates/sidecar-example.yaml"
    })
    void plainFilesAreRendered(String file, String option, String value) {
        String text = Monitoring.text(Path.of("deploy/kubernetes", file));
        String[] values = HelmChart.values("trial");
        Manifests chart = HelmChart.PROJECT.rendered(
                values[0], values[1], "--namespace=quorumlock", "--skip-tests", option, value);
        assertEquals(chart.texts().get("chart.yaml"), text.substring(text.indexOf("---\n")));
    }

    @Test
    void mastersAreSpreadAndPersistent() {
        Manifest masters = HelmChart.PROJECT
                .rendered(HelmChart.values("default"))
                .all("StatefulSet")
                .get(0);
        assertEquals(
                "Parallel", masters.content().at("/spec/podManagementPolicy").asText());
        assertTrue(masters.podSpec()
                .at("/affinity/podAntiAffinity")
                .has("requiredDuringSchedulingIgnoredDuringExecution"));
        assertTrue(masters.content().at("/spec/minReadySeconds").asInt() > 62);
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
                "https://wiki.example/locks/monitoring.md#"
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
