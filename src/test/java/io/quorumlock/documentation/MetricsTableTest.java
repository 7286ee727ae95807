// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.documentation;

import static io.restassured.RestAssured.given;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Comparison of docs/metrics.md with the metrics that the service exports. */
@QuarkusTest
class MetricsTableTest {
    private static final Pattern SAMPLE = Pattern.compile("^(quorumlock_\\w+)(?:\\{(.*)})? ", Pattern.MULTILINE);
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"[^\"]*\"");
    private static final Pattern PART = Pattern.compile("_(bucket|count|sum|max)$");

    @Test
    void listsEveryMetricWithItsLabels() {
        callEveryVerb();
        String exported = given().get("/q/metrics").asString();
        assertEquals(
                lines(SAMPLE.matcher(exported).results().map(MetricsTableTest::exported)),
                lines(Document.docs("metrics.md").rows("quorumlock_").stream().map(row -> documented(row.get(0)))));
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
