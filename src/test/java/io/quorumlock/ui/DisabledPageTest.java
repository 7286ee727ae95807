// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.ui;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.quorumlock.testing.LockClient;
import java.net.URI;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A service that serves no page. */
@QuarkusTest
@TestProfile(DisabledPageTest.Profile.class)
class DisabledPageTest {
    @TestHTTPResource
    URI service;

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
        int status = new LockClient(service)
                .get(service.resolve("/") + path.substring(1))
                .status();
        boolean ambiguous = path.contains("//") || path.matches("(?i).*%2f.*|.*%5c.*");
        assertEquals(ambiguous ? 400 : 404, status);
    }

    /** Disables the page. */
    public static final class Profile implements QuarkusTestProfile {
        @Override
        public Map<String, String> getConfigOverrides() {
            return Map.of("quorumlock.ui.enabled", "false");
        }
    }
}
