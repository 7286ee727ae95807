// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
class RoutesTest {
    @Inject
    Routes routes;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/q/health",
                "/q/health/live",
                "/openapi.yaml",
                "/clients/",
                "/clients/quorumlock",
                "/",
                "/ui",
                "/ui/app.mjs",
                "/problems/locked",
                "/q/swagger-ui/index.html"
            })
    void probesAndExplanationsAreOpen(String path) {
        assertTrue(routes.of(path).isPublic(true));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/uix",
                "/nodes",
                "/locks",
                "/locks/a",
                "/events",
                "/q",
                "/q/",
                "/q/healthy",
                "/q/arc",
                "/q/openapi",
                "/openapi.yaml/",
                "/clientsx",
                "/problems",
                "/Q/health",
                "/q/metricsx",
                ""
            })
    void everythingElseIsClosed(String path) {
        assertFalse(routes.of(path).isPublic(false));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/q/metrics", "/q/metrics/", "/q/metrics/x"})
    void metricsNeedKeyOnlyIfConfigured(String path) {
        assertTrue(routes.of(path).isPublic(false));
        assertFalse(routes.of(path).isPublic(true));
    }

    @ParameterizedTest
    @CsvSource({
        "/fleetloc%6b/v1/pre-reboot, /fleetlock/x",
        "/locks/a%2Fextend, /locks/a/extend",
        "/q/metric%73, /q/metrics",
        "/q/metrics%2B, /other",
        "/q/metrics+, /other",
        "/%zz, /other"
    })
    void decodesPath(String path, String same) {
        assertEquals(routes.of(same), routes.of(path));
    }

    @Test
    void plusIsNoSpace() {
        assertEquals("/terraform/a+b c", Routes.decoded("/terraform/a+b%20c"));
    }

    /** The meters of requests get their label from a setting of the framework, which is fixed when the service is built. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/locks",
                "/locks/a",
                "/locks/a/extend",
                "/locks/extend",
                "/locks/a/fence",
                "/locks/a/b/fence",
                "/locks/fence",
                "/locks/fence/a",
                "/locks/a/fences",
                "/sessions/a",
                "/terraform/a/b",
                "/fleetlock/v1/pre-reboot",
                "/mcp",
                "/mcp/",
                "/mcpx",
                "/events",
                "/nodes",
                "/problems/locked",
                "/openapi.yaml",
                "/clients/quorumlock",
                "/ui/app.mjs",
                "/nodesx",
                "/"
            })
    void metersHaveSameLabels(String path) throws IOException {
        Properties settings = new Properties();
        try (Reader file = Files.newBufferedReader(Path.of("src/main/resources/application.properties"))) {
            settings.load(file);
        }
        String patterns = settings.getProperty("quarkus.micrometer.binder.http-server.match-patterns");
        String label = Arrays.stream(patterns.split(","))
                .map(pattern -> pattern.split("=(?=/)", 2))
                .filter(pattern -> path.matches(pattern[0]))
                .map(pattern -> pattern[1])
                .findFirst()
                .orElse(path);
        assertEquals(routes.of(path).label(), label);
    }
}
