// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The paths that need no key. All others need one. */
class PublicPathsTest {
    private static final PublicPaths WITH_METRICS = new PublicPaths(true);
    private static final PublicPaths WITHOUT = new PublicPaths(false);

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
        assertEquals(true, WITHOUT.contain(path));
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
        assertFalse(WITH_METRICS.contain(path));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/q/metrics", "/q/metrics/", "/q/metrics/x"})
    void metricsNeedKeyOnlyIfConfigured(String path) {
        assertEquals(true, WITH_METRICS.contain(path));
        assertFalse(WITHOUT.contain(path));
    }
}
