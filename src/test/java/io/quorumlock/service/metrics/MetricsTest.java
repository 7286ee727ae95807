// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.service.metrics;

import static io.restassured.RestAssured.given;
import static io.restassured.RestAssured.when;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
class MetricsTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "quorumlock_acquire_seconds_count{outcome=\"no_quorum\"}",
                "quorumlock_extend_seconds_count{outcome=\"exhausted\"}",
                "quorumlock_release_seconds_count{outcome=\"unconfirmed\"}",
                "quorumlock_force_releases_total{outcome=\"left_alone\"}",
                "quorumlock_node_command_seconds_count{command=\"scan\",node=\"node-1\"}",
                "quorumlock_acquire_seconds_count{outcome=\"held\"}",
                "quorumlock_acquires_total{kind=\"exclusive\",outcome=\"too_many_waiters\"}",
                "quorumlock_requests_shed_total{lane=\"reserved\"}",
                "quorumlock_sessions",
                "quorumlock_sessions_ended_total{reason=\"gone\"}",
                "quorumlock_event_streams",
                "quorumlock_event_streams_cut_total",
                "quorumlock_security_refusals_total{reason=\"no_key\"}",
                "quorumlock_security_keys",
                "quorumlock_split_votes_total",
                "quorumlock_validity_ratio_count",
                "quorumlock_node_failures_total{node=\"node-5\",reason=\"oom\"}",
                "quorumlock_node_restarts_total{node=\"node-1\"}"
            })
    void registersSeriesAtStartUp(String series) {
        assertTrue(lines().anyMatch(line -> line.startsWith(series + " ")), series);
    }

    @Test
    void reportsTheFleet() {
        Set<String> lines = lines().collect(Collectors.toSet());
        for (String line : List.of(
                "quorumlock_nodes_up 5.0",
                "quorumlock_nodes_configured 5.0",
                "quorumlock_quorum 3.0",
                "quorumlock_failure_tolerance 2.0",
                "quorumlock_node_up{node=\"node-3\"} 1.0")) {
            assertTrue(lines.contains(line), line);
        }
    }

    @Test
    void countsEachOutcomeOnce() {
        double before = value("quorumlock_acquire_seconds_count{outcome=\"acquired\"}");
        given().post("/locks/metrics/counted").then().statusCode(201);
        given().post("/locks/metrics/counted").then().statusCode(423);
        assertEquals(before + 1, value("quorumlock_acquire_seconds_count{outcome=\"acquired\"}"));
    }

    @Test
    void recordsAgeOfExtendedLeases() {
        double before = value("quorumlock_lease_age_seconds_count");
        String token = given().post("/locks/metrics/extended").jsonPath().getString("token");
        given().header("Lock-Token", token)
                .put("/locks/metrics/extended/extend")
                .then()
                .statusCode(200);
        assertTrue(value("quorumlock_lease_age_seconds_count") > before);
    }

    /** A waiter makes several attempts. */
    @Test
    void countsEachWaitingAcquireOnce() {
        given().post("/locks/metrics/waited").then().statusCode(201);
        double before = value("quorumlock_acquires_total{kind=\"exclusive\",outcome=\"held\"}");
        double attempts = value("quorumlock_acquire_seconds_count{outcome=\"held\"}");
        given().post("/locks/metrics/waited?waitMs=300").then().statusCode(423);
        assertEquals(before + 1, value("quorumlock_acquires_total{kind=\"exclusive\",outcome=\"held\"}"));
        assertTrue(value("quorumlock_acquire_seconds_count{outcome=\"held\"}") >= attempts + 1);
    }

    @Test
    void doesNotUsePathsAndUnknownMethodsAsLabels() {
        for (int i = 0; i < 20; i++) {
            given().post("/locks/cardinality/" + i);
            given().get("/made/up/" + i);
            given().request("VERB" + i, "/locks/x" + i);
            given().urlEncodingEnabled(false).get("/locks/made%0" + (i % 10));
        }
        String all = lines().collect(Collectors.joining("\n"));
        assertTrue(!all.contains("cardinality") && !all.contains("made") && !all.contains("VERB"), all);
        assertTrue(all.contains("uri=\"/locks/{name}\""), all);
    }

    @Test
    void tellsLocksAndUnlocksOfTerraformApart() {
        for (String method : List.of("LOCK", "UNLOCK")) {
            given().request(method, "/terraform/metrics");
            String label = "http_server_requests_seconds_count{method=\"" + method + "\"";
            assertTrue(lines().anyMatch(line -> line.startsWith(label)), label);
        }
    }

    private static Stream<String> lines() {
        return when().get("/q/metrics").asString().lines();
    }

    private static double value(String series) {
        return lines().filter(line -> line.startsWith(series + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(series.length() + 1)))
                .findFirst()
                .orElseThrow();
    }
}
