// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.ui;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import io.quorumlock.testing.Eventually;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** When the operator's page sends requests, and when it does not. */
@QuarkusTest
@Tag("nightly")
class PageRequestsTest extends PageFixture {
    private static final String LATEST = "[...document.querySelectorAll('.event .kind')].map(kind => kind.innerText)";

    @Test
    void closesStreamOfHiddenTabAndReadsAgainWhenShown() {
        browser.before(
                """
                const timer = setTimeout;
                window.setTimeout = (task, millis, ...rest) => timer(task, millis === 30000 ? 300 : millis, ...rest);
                """);
        browser.go("/#/?prefix=page/hidden/").showsIn("#live", "Live").hide();
        Eventually.holds("stream still open", () -> client.metric("quorumlock_event_streams") == 0);
        Leases.held(client, "page/hidden/a");
        browser.afterTimersOf(1_000);
        assertEquals(0, client.metric("quorumlock_event_streams"));
        browser.unhide().showsIn("#locks", "page/hidden/a").showsIn("#live", "Live");
        browser.showsIn("#activity", "events may be missing");
    }

    @Test
    void readsAgainWhenPageOpenedInBackgroundIsShown() {
        browser.inBackground().go("/#/?prefix=page/background/").shows("No held lock begins with");
        browser.afterTimersOf(4_000).unhide().showsIn("#live", "Live");
    }

    @Test
    void readsLockRarelyThoughManyEventsArrive() {
        browser.go("/#/locks/page/busy");
        awaitEventsOf("page/busy");
        double began = seconds();
        long before = browser.requests("^/locks/page/busy$");
        String token = Leases.held(client, "page/busy");
        for (int i = 0; i < 30; i++) {
            client.extend("page/busy", token);
        }
        client.release("page/busy", token);
        browser.awaits(LATEST + "[0] === 'released' && " + LATEST + "[1] === 'extended'");
        double took = seconds() - began;
        long reads = browser.requests("^/locks/page/busy$") - before;
        assertTrue(reads <= 2 * took + 2, reads + " reads in " + took + " s");
        browser.showsIn(".lock", "Nobody holds");
    }

    @Test
    void readsLockNotWhileHidden() {
        browser.go("/#/locks/page/unseen");
        awaitEventsOf("page/unseen");
        browser.hide().afterTimersOf(1_000);
        long before = browser.requests("^/locks/page/unseen$");
        Leases.held(client, "page/unseen");
        browser.awaits(LATEST + "[0] === 'acquired'").afterTimersOf(1_000);
        assertEquals(before, browser.requests("^/locks/page/unseen$"));
        browser.unhide().showsIn(".terms", "Held");
    }

    @Test
    void opensStreamsThatEndAtOnceLessAndLessOften() {
        browser.before(
                """
                const real = fetch;
                window.streams = 0;
                window.fetch = (path, options) => {
                  if (!path.startsWith('/events')) return real(path, options);
                  window.streams++;
                  return Promise.resolve(new Response('\\n'));
                };
                """);
        browser.go("/").showsIn("#live", "Reconnecting").afterTimersOf(6_000);
        long streams = (Long) browser.script("return window.streams");
        assertTrue(streams < 8, streams + " streams");
    }

    @Test
    void continuesAfterAnswersThatAreNotOfTheService() {
        Leases.held(client, "page/proxied");
        browser.before(
                """
                const real = fetch;
                window.proxied = true;
                window.fetch = (path, options) =>
                  window.proxied ? Promise.resolve(new Response('<html>', { status: 404 })) : real(path, options);
                """);
        browser.go("/#/locks/page/proxied").showsIn("#fleet", "proxy").showsIn(".lock", "proxy");
        assertEquals("", browser.text(".free"));
        browser.script("window.proxied = false");
        browser.showsIn("#fleet", "Healthy: tolerates 2 failures")
                .showsIn(".terms", "Held")
                .showsIn("#live", "Live");
        browser.showsNoMoreIn("#charts", "proxy").click(".back").showsIn("#locks", "page/proxied");
    }

    @Test
    void breaksNothingIfLockCannotBeCheckedInTime() {
        Leases.held(client, "page/stalled");
        browser.before(
                """
                const real = fetch;
                const late = () => Promise.reject(new DOMException('signal timed out', 'TimeoutError'));
                window.fetch = (path, options) =>
                  window.stalled && path === '/locks/page/stalled' ? Promise.resolve({ ok: true, json: late }) : real(path, options);
                """);
        browser.go("/#/locks/page/stalled").showsIn(".terms", "Held").click("#break");
        browser.type("#reason", "stuck").script("window.stalled = true");
        browser.click("#confirm").showsIn("#result", "did not answer in time. Nothing was changed");
        browser.script("window.stalled = false");
        browser.click("#confirm").showsIn("#result", "The lock is broken");
    }

    @Test
    void showsRatesAlthoughClockJumpsBack() {
        browser.before(
                """
                const real = Date.now;
                let jump = 0;
                Date.now = () => real() - 3600000 * jump++;
                """);
        browser.go("/").showsIn("#charts", "watched since ");
        Leases.held(client, "page/jumping");
        browser.showsIn("#charts", "/s");
        assertTrue(!browser.text("#charts").matches("(?s).*[-\u2212].*"), () -> browser.text("#charts"));
    }

    /** Changes the lock until the page shows it: the first stream of a replica reports nothing at first. */
    private void awaitEventsOf(String resource) {
        Eventually.holds("no event shown", () -> {
            client.release(resource, Leases.held(client, resource));
            return browser.text(".lock").contains("released");
        });
    }

    private double seconds() {
        return ((Number) browser.script("return performance.now()")).doubleValue() / 1000;
    }
}
