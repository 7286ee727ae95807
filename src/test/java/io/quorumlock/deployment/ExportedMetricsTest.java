// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.deployment;

import static io.restassured.RestAssured.given;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The metrics used by alerts and dashboard, and the paths used by probes. The service provides all of them. */
@QuarkusTest
class ExportedMetricsTest {

    @Test
    void queriesUseOnlyExportedMetrics() {
        Scrape scrape = scrape();
        assertTrue(Monitoring.queries().size() > 40);
        assertEquals(
                List.of(),
                Monitoring.queries().stream()
                        .filter(query -> !query.isOfEtcd() && !query.isOfOwnStore())
                        .flatMap(query -> scrape.missing(query).stream())
                        .toList());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "quorumlock_node_upp == 0 ; metric quorumlock_node_upp",
                "rate(quorumlock_acquire[5m]) ; metric quorumlock_acquire",
                "quorumlock_nodes_up and up ; metric up",
                "quorumlock_node_up{nod=\"node-1\"} ; label nod of quorumlock_node_up",
                "quorumlock_acquire_seconds_count{outcome=~\"acquired|quorum\"} ; value outcome=quorum of quorumlock_acquire_seconds_count",
                "quorumlock_node_command_seconds_count{command=\"time\"} ; value command=time of quorumlock_node_command_seconds_count",
                "sum by (job, reason) (quorumlock_node_up) ; label reason"
            })
    void detectsQueriesForMissingMetrics(String text, String missing) {
        assertEquals(List.of("here: " + missing), scrape().missing(new Query("here", text)));
    }

    @Test
    void serviceAnswersProbes() {
        Probes.PATHS.values().forEach(path -> given().get(path).then().statusCode(200));
    }

    private static Scrape scrape() {
        given().get("/locks/deployment");
        return Scrape.of(given().get("/q/metrics").asString());
    }
}
