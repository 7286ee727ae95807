// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.ui;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quorumlock.testing.LockClient;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A browser for each test, in which no script may fail or violate the content security policy. */
abstract class PageFixture {
    @TestHTTPResource
    URI service;

    Browser browser;
    LockClient client;

    @BeforeEach
    void open() {
        browser = Browser.open(service);
        client = new LockClient(service);
    }

    @AfterEach
    void close() {
        if (browser != null) {
            List<String> errors = browser.errors();
            browser.close();
            assertEquals(List.of(), errors);
        }
    }
}
