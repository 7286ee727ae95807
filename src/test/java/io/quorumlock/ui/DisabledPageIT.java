// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.ui;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlock.testing.LocalService;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A service that serves no page. */
class DisabledPageIT {
    private static LocalService service;

    @BeforeAll
    static void start() {
        service = LocalService.start("-Dquorumlock.ui.enabled=false");
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/ui",
                "/ui/",
                "/ui/index.html",
                "/ui/app.mjs",
                "/ui//app.mjs",
                "//ui/app.mjs",
                "/ui%2Findex.html",
                "/ui%5Capp.mjs",
                "/%2Fui/index.html",
                "/x/..%2Fui/index.html",
                "/clients/..%2fui%2findex.html",
                "/%75i/app.mjs"
            })
    void servesNoPage(String path) {
        int status = service.client().get(service.uri() + path).status();
        boolean ambiguous = path.contains("//") || path.matches("(?i).*%2f.*|.*%5c.*");
        assertEquals(ambiguous ? 400 : 404, status);
    }
}
