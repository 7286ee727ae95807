// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.ui;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.quorumlock.testing.LocalService;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
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

    /** The list of clients remains, with its style and without dead links. */
    @Test
    void listOfClientsRefersToServedFiles() {
        String list =
                service.client().get(service.uri() + "/clients/").response().body();
        List<String> targets = Pattern.compile("(?:href|src)=\"(/[^\"]*)\"")
                .matcher(list)
                .results()
                .map(match -> match.group(1))
                .toList();
        assertFalse(targets.isEmpty());
        targets.forEach(path ->
                assertEquals(200, service.client().get(service.uri() + path).status(), path));
    }
}
