// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.deployment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.quorumlock.documentation.Document;
import io.quorumlock.documentation.Shell;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.SharedEtcd;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The alerts. Each is complete, explained in the runbook and covered by a unit test. The two files with the rules are
 * equal.
 */
@Execution(ExecutionMode.CONCURRENT)
class AlertsTest {
    private static final Document RUNBOOK = Document.read(Path.of("docs/monitoring.md"));
    private static final String RULE_TESTS = Monitoring.text(Monitoring.FOLDER.resolve("alerts_test.yml"));
    private static final String BUDGET_TESTS = Monitoring.text(Monitoring.FOLDER.resolve("budgets_test.yml"));

    static List<JsonNode> alerts() {
        return Monitoring.alerts();
    }

    @ParameterizedTest
    @MethodSource("alerts")
    void alertHasSeverityDescriptionAndRunbook(JsonNode alert) {
        assertTrue(Set.of("critical", "warning", "info")
                .contains(alert.at("/labels/severity").asText()));
        assertFalse(alert.at("/annotations/summary").asText().isEmpty());
        assertFalse(alert.at("/annotations/description").asText().isEmpty());
        String[] runbook = alert.at("/annotations/runbook").asText().split("#");
        assertEquals(RUNBOOK.path().toString(), runbook[0]);
        assertTrue(RUNBOOK.anchors().contains(runbook[1]), () -> "the runbook has no " + runbook[1]);
    }

    @ParameterizedTest
    @MethodSource("alerts")
    void everyAlertHasUnitTest(JsonNode alert) {
        assertTrue((RULE_TESTS + BUDGET_TESTS).contains(alert.path("alert").asText()), alert::toString);
    }

    @Test
    void commandOfRunbookLinksAllAlerts(@TempDir Path folder) throws IOException {
        Path file = Path.of("deploy/helm/quorumlock/files/alerts.yml");
        Files.createDirectories(folder.resolve(file).getParent());
        Files.copy(file, folder.resolve(file));
        String command = RUNBOOK.blocks("sh").get(0);
        assertEquals(new Shell.Result(0, ""), new Shell(folder, Map.of()).run(Eventually.LONGEST, "sh", "-c", command));
        String linked = Files.readString(folder.resolve(file));
        assertTrue(linked.contains("runbook_url: https://wiki.example/locks/monitoring.md#"), linked);
        assertFalse(linked.contains("runbook: "), linked);
    }

    @Test
    void alertsUseOnlyRecordedQueries() {
        List<String> used = Monitoring.queries().stream()
                .flatMap(query -> query.recorded().stream())
                .toList();
        assertEquals(Monitoring.recorded(), Set.copyOf(used));
    }

    @Test
    void everyMetricIsOnDashboardOrInAlert() {
        Set<String> shown = Monitoring.queries().stream()
                .flatMap(query -> query.selectors().stream())
                .map(selector -> selector.metric().replaceFirst("_(bucket|count|sum|max)$", ""))
                .collect(Collectors.toSet());
        Document.docs("monitoring.md").rows("quorumlock_").stream()
                .map(row -> row.get(0).split("\\{")[0])
                .forEach(metric -> assertTrue(shown.contains(metric), () -> metric + " is not shown"));
    }

    @Test
    void dashboardPanelsHaveDescriptions() {
        Monitoring.panels().stream()
                .filter(panel -> !panel.path("type").asText().equals("row"))
                .forEach(panel -> assertFalse(panel.path("description").asText().isEmpty(), panel::toString));
    }

    @Test
    @Tag("tools")
    void etcdExportsTheMetricsOfItsAlert() {
        List<Query> queries =
                Monitoring.queries().stream().filter(Query::isOfEtcd).toList();
        assertEquals(1, queries.size());
        String metrics = SharedEtcd.cluster().url(0) + "/metrics";
        Eventually.within(Duration.ofMinutes(1), "etcd does not export " + queries, () -> Scrape.of(text(metrics))
                .missing(queries.get(0))
                .isEmpty());
    }

    @Test
    @Tag("tools")
    void rulesPassTheirUnitTests() {
        assertTrue(
                promtool(Monitoring.FOLDER, "check", "rules", Monitoring.ALERTS).succeeded());
        Shell.Result tests = promtool(Monitoring.FOLDER, "test", "rules", "alerts_test.yml", "budgets_test.yml");
        assertTrue(tests.succeeded(), tests::output);
    }

    @ParameterizedTest
    @Tag("tools")
    @ValueSource(strings = {"_available == 0", "[1h]) > 2", "for: 5m", "_quarantine_seconds == 0"})
    void unitTestsFailForBrokenRules(String part, @TempDir Path folder) throws IOException {
        String rules = Monitoring.text(Monitoring.FOLDER.resolve(Monitoring.ALERTS));
        assertTrue(rules.contains(part));
        String broken = part.startsWith("for") ? "for: 50m" : part.replaceAll("[<>=]+ ", "!= 99 * ");
        Files.writeString(folder.resolve("alerts.yml"), rules.replace(part, broken));
        Files.writeString(folder.resolve("alerts_test.yml"), RULE_TESTS.replace(Monitoring.ALERTS, "alerts.yml"));
        assertTrue(promtool(folder, "check", "rules", "alerts.yml").succeeded());
        assertFalse(promtool(folder, "test", "rules", "alerts_test.yml").succeeded());
    }

    /** Returns what a server answers; nothing if it is not up. */
    private static String text(String url) {
        try (InputStream answer = URI.create(url).toURL().openStream()) {
            return new String(answer.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException notUp) {
            return "";
        }
    }

    private static Shell.Result promtool(Path folder, String... arguments) {
        assumeTrue(Shell.has("promtool"), "promtool is not installed; Debian's package prometheus has it");
        String[] command = new String[arguments.length + 1];
        command[0] = "promtool";
        System.arraycopy(arguments, 0, command, 1, arguments.length);
        return new Shell(folder, Map.of()).run(Duration.ofMinutes(5), command);
    }
}
