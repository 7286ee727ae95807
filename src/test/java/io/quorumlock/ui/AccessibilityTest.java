// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.ui;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.quorumlock.testing.LockClient;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Accessibility and width of the operator's page, in light and dark, wide and on a phone. */
@QuarkusTest
@TestProfile(AccessibilityTest.LongLeases.class)
@Tag("nightly")
class AccessibilityTest {
    /** On a busy machine, the browser needs more than the longest TTL by default. */
    private static final int TTL_MS = 600_000;

    public static final class LongLeases implements QuarkusTestProfile {
        @Override
        public Map<String, String> getConfigOverrides() {
            return Map.of("quorumlock.ttl.max", "10m");
        }
    }

    @TestHTTPResource
    URI service;

    @ParameterizedTest
    @CsvSource({"light, 1280", "dark, 1280", "light, 360", "dark, 360"})
    void isReadable(String scheme, int width) {
        LockClient client = new LockClient(service);
        client.acquire("page/readable/a?owner=me", TTL_MS);
        String several = "page/readable/" + scheme + width;
        client.acquire(several + "?slots=2&owner=one", TTL_MS);
        client.acquire(several + "?slots=2&owner=two", TTL_MS);
        try (Browser browser = Browser.open(service)) {
            browser.emulate(scheme, width);
            browser.go("/#/?prefix=page/readable/").showsIn("#locks", "page/readable/a");
            assertAccessible(browser);
            browser.go("/#/locks/page/readable/a").showsIn(".terms", "Held").click("#break");
            browser.showsIn("dialog", "The holder is not told");
            assertAccessible(browser);
            browser.go("/#/locks/" + several).showsIn(".holders", "two");
            assertAccessible(browser);
            browser.click("#break").showsIn("dialog", "the leases of all 2 holders");
            assertAccessible(browser);
        }
    }

    @ParameterizedTest
    @CsvSource({"light, 1280", "dark, 360"})
    void listOfClientsIsReadable(String scheme, int width) {
        try (Browser browser = Browser.open(service)) {
            browser.emulate(scheme, width);
            browser.go("/clients/").showsIn("main", "quorumlock.py");
            assertAccessible(browser);
        }
    }

    private static void assertAccessible(Browser browser) {
        assertEquals(List.of(), browser.accessibilityViolations());
        assertEquals(false, browser.script("return document.documentElement.scrollWidth > innerWidth"));
    }
}
