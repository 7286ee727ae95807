// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.documentation;

import static io.restassured.RestAssured.given;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Comparison of docs/monitoring.md with the metrics that the service exports. */
@QuarkusTest
class MetricsTableTest {
    private static final Pattern SAMPLE = Pattern.compile("^(quorumlock_\\w+)(?:\\{(.*)})? ", Pattern.MULTILINE);
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"[^\"]*\"");
    private static final Pattern LISTED = Pattern.compile("(?:kind|outcome|reason|lane)=\"([^\"]*)\"");
    /** The last backquote of a cell is removed. */
    private static final Pattern VALUE = Pattern.compile("`([a-z_]+)(?:`|$)");

    private static final Pattern PART = Pattern.compile("_(bucket|count|sum|max)$");

    @Test
    void listsEveryMetricWithItsLabels() {
        callEveryVerb();
        String exported = given().get("/q/metrics").asString();
        assertEquals(
                lines(SAMPLE.matcher(exported).results().map(MetricsTableTest::exported)),
                lines(Document.docs("monitoring.md").rows("quorumlock_").stream()
                        .map(row -> documented(row.get(0)))));
    }

    /** The meaning of a metric with an outcome, a reason or a lane lists all of its values in backquotes. */
    @Test
    void listsEveryValueOfLabels() {
        String exported = given().get("/q/metrics").asString();
        for (List<String> row : Document.docs("monitoring.md").rows("quorumlock_")) {
            Set<String> documented = values(VALUE, row.get(2));
            if (!documented.isEmpty()) {
                String name = row.get(0).split("\\{")[0];
                String samples = SAMPLE.matcher(exported)
                        .results()
                        .filter(sample ->
                                PART.matcher(sample.group(1)).replaceFirst("").equals(name))
                        .map(sample -> sample.group(2))
                        .collect(Collectors.joining("\n"));
                assertEquals(documented, values(LISTED, samples), name);
            }
        }
    }

    private static Set<String> values(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map(value -> value.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static void callEveryVerb() {
        String lock = "/locks/metrics-table";
        Response lease = given().post(lock);
        String token = lease.jsonPath().getString("token");
        given().header("Lock-Token", token).put(lock + "/extend").then().statusCode(200);
        given().get(lock).then().statusCode(200);
        given().header("Lock-Token", token).delete(lock).then().statusCode(204);
    }

    /** Returns the metric of a sample. A histogram has several samples, some with the label "le". */
    private static String exported(MatchResult sample) {
        String labels = sample.group(2) == null ? "" : sample.group(2);
        return named(
                PART.matcher(sample.group(1)).replaceFirst(""),
                LABEL.matcher(labels).results().map(label -> label.group(1)).filter(name -> !name.equals("le")));
    }

    private static String documented(String cell) {
        List<String> parts = List.of(cell.split("[{}]"));
        return named(
                parts.get(0),
                parts.size() == 1 ? Stream.empty() : Stream.of(parts.get(1).split(",")));
    }

    private static String named(String name, Stream<String> labels) {
        return name + labels.sorted().toList();
    }

    private static String lines(Stream<String> metrics) {
        return String.join("\n", metrics.distinct().sorted().toList());
    }
}
