// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.ui;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.testing.LocalService;
import io.quorumlock.testing.LockClient;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** The operator's page with 10,000 held locks. */
@Isolated
@Tag("nightly")
class ManyLocksIT {
    private static final int LOCKS = 10_000;
    private static final int MOST_ROWS = 200;

    @Test
    void showsAllWithFewElements() {
        try (LocalService service = LocalService.start("-Dquorumlock.ttl.max=10m");
                Browser browser = Browser.open(service.uri())) {
            LockClient client = service.client();
            IntStream.range(0, LOCKS)
                    .parallel()
                    .forEach(lock -> client.acquire("many/%04d?owner=worker".formatted(lock), 600_000));
            browser.go("/").showsIn("#locks .count", "10,000 locks");
            browser.click(".c-name .sort").showsIn("#locks .body", "many/0000");
            assertFewRows(browser);
            browser.script("const list = document.querySelector('.scroll'); list.scrollTo(0, list.scrollHeight)");
            browser.showsIn("#locks .body", "many/9999");
            assertFewRows(browser);
            browser.type("#prefix", "many/77")
                    .showsIn("#locks .count", "100 locks")
                    .showsIn("#locks .body", "many/7700");
        }
    }

    private static void assertFewRows(Browser browser) {
        long rows = (Long) browser.script("return document.querySelectorAll('#locks .row').length");
        assertTrue(rows < MOST_ROWS, rows + " rows");
    }
}
