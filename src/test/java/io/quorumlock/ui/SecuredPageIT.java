// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.ui;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.quorumlock.testing.LockClient;
import io.quorumlock.testing.RedisServer;
import io.quorumlock.testing.RedisServers;
import io.quorumlock.testing.ServiceProcess;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The operator's page in a browser, with a service that asks for keys. */
@Tag("nightly")
class SecuredPageIT {
    private static final int LONG = 60_000;

    @TempDir
    private static Path folder;

    private static Path keys;
    private static List<RedisServer> masters;
    private static ServiceProcess process;
    private static URI service;

    @BeforeAll
    static void start() {
        keys = folder.resolve("keys.json");
        PageKeys.write(keys, true);
        masters = RedisServers.start(5);
        process = ServiceProcess.startReady(Map.of(
                "QUORUMLOCK_NODES",
                ServiceProcess.nodes(masters),
                "QUORUMLOCK_SECURITY_OPEN",
                "false",
                "QUORUMLOCK_SECURITY_KEYS_FILE",
                keys.toString(),
                "QUORUMLOCK_SECURITY_RELOAD_PERIOD",
                "100ms"));
        service = process.uri();
    }

    @AfterAll
    static void stop() {
        process.close();
        RedisServers.close(masters);
    }

    @Test
    void keepsKeyInSessionOnlyAndShowsRights() {
        try (Browser browser = signedIn("operator", PageKeys.OPERATOR)) {
            browser.showsIn("#live", "Live").showsIn("#account", "operator").click("#account");
            browser.showsIn("#rights", "list locks (list): allowed");
            assertEquals(0L, browser.script("return localStorage.length + document.cookie.length"));
            assertEquals(1L, browser.script("return sessionStorage.length"));
            browser.click("#rights button").showsIn("main", "This service asks for a key");
            assertEquals(0L, browser.script("return sessionStorage.length"));
        }
    }

    @Test
    void explainsWrongKeyOnce() {
        try (Browser browser = signedIn("", "wrong-key-" + "w".repeat(40))) {
            browser.showsIn("main", "does not accept this key");
        }
    }

    @Test
    void explainsMissingRightToBreak() {
        new LockClient(service).withKey(PageKeys.READER).acquire("secured/held", LONG);
        try (Browser browser = signedIn("", PageKeys.READER)) {
            browser.showsIn("#locks", "secured/held").click("#locks .body a");
            browser.showsIn(".terms", "Held")
                    .click("#break")
                    .type("#reason", "test")
                    .click("#confirm");
            browser.showsIn("#result", "does not have the right \u201Cforce\u201D");
            // The answer names the key.
            browser.showsIn("#account-place", "reader");
        }
    }

    @Test
    void explainsMissingRightToWatch() {
        Leases.held(new LockClient(service).withKey(PageKeys.WATCHLESS), "secured/unwatched");
        try (Browser browser = signedIn("", PageKeys.WATCHLESS)) {
            String refusal = "does not have the right \u201Cevents\u201D";
            browser.showsIn("#locks", "secured/unwatched")
                    .showsIn("#live", "Not live")
                    .showsIn("#activity", refusal);
            browser.script("location.hash = '#/locks/secured/unwatched'");
            browser.showsIn(".terms", "Held").showsIn(".lock", refusal);
        }
    }

    @Test
    void asksForAnotherKeyAfterRevocation() {
        try (Browser browser = signedIn("operator", PageKeys.OPERATOR)) {
            browser.showsIn("#live", "Live");
            PageKeys.write(keys, false);
            browser.showsIn("main", "does not accept this key");
        } finally {
            PageKeys.write(keys, true);
        }
    }

    @Test
    void asksAgainIfLockHasNewLeaseThoughKeyMayNotReadAll() {
        LockClient client = new LockClient(service).withKey(PageKeys.LIMITED);
        String token = Leases.held(client, "limited/new-lease");
        String stallingReads =
                """
                const real = fetch;
                window.fetch = (path, options) =>
                  window.stalled && path.startsWith('/locks/limited/') && !options.method
                    ? new Promise(() => { window.waiting = true; }) : real(path, options);
                """;
        try (Browser browser = signedIn("", PageKeys.LIMITED, stallingReads)) {
            browser.showsIn("#fleet", "does not have the right").click("#account");
            browser.script("location.hash = '#/locks/limited/new-lease'");
            browser.showsIn(".terms", "Held").click("#break").type("#reason", "stuck");
            client.release("limited/new-lease", token);
            Leases.held(client, "limited/new-lease");
            browser.script("window.stalled = true");
            // The last answer is then a refusal to read all masters.
            browser.awaits("window.waiting").unhide().showsIn("#rights", "(read): refused");
            browser.script("window.stalled = false");
            browser.click("#confirm").showsIn("#result", "new lease");
        }
    }

    @Test
    void showsNothingOfThePreviousKeyAfterSignOut() {
        LockClient client = new LockClient(service).withKey(PageKeys.READER);
        try (Browser browser = signedIn("operator", PageKeys.OPERATOR)) {
            browser.showsIn("#live", "Live").showsIn("#fleet", "node-5");
            Leases.held(client, "secured/seen");
            browser.showsIn("#activity", "secured/seen").click("#account").click("#rights button");
            browser.type("#key", PageKeys.LIMITED + "\n").showsIn("#fleet", "does not have the right");
            assertFalse(browser.text("main").contains("secured/seen"));
            assertFalse(browser.text("main").contains("node-5"));
        }
    }

    private Browser signedIn(String id, String key) {
        return signedIn(id, key, "");
    }

    private Browser signedIn(String id, String key, String before) {
        Browser browser = Browser.open(service).before(before).go("/").showsIn("main", "This service asks for a key");
        return browser.type("#key-id", id).type("#key", key + "\n");
    }
}
