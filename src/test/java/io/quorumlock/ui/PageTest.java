// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.ui;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

/** The operator's page in a browser, with a service without keys. */
@Tag("tools")
@QuarkusTest
class PageTest extends PageFixture {
    @Test
    void showsMastersAndWhatMayFail() {
        browser.go("/").showsIn("#fleet", "Healthy: tolerates 2 failures").showsIn("#fleet", "node-5");
    }

    @Test
    void namesEnvironmentReplicaAndMasters() {
        browser.go("/")
                .showsIn("#environment", "test")
                .showsIn("#fleet", "Replica ")
                .showsIn("#fleet", "127.0.0.1:");
        assertEquals("Quorumlock \u2013 test", browser.script("return document.title"));
        browser.go("/#/locks/page/title").awaits("document.title === 'page/title \u2013 Quorumlock \u2013 test'");
    }

    @Test
    void showsNewExtendedAndEndedLocksWithoutReload() {
        browser.go("/#/?prefix=page/live/").showsIn("#live", "Live");
        String token = held("page/live/one?owner=worker-1");
        browser.showsIn("#locks", "page/live/one").showsIn("#locks", "worker-1").showsIn("#activity", "acquired");
        client.release("page/live/one", token);
        browser.showsNoMoreIn("#locks .body", "page/live/one").showsIn("#activity", "released");
    }

    @Test
    void showsLockKeptAfterRelease() {
        browser.go("/#/?prefix=page/kept/").showsIn("#live", "Live");
        client.release("page/kept/one?keepMs=60000", held("page/kept/one?owner=worker-1"));
        browser.showsIn("#locks .body .c-name", "kept after release");
        browser.go("/#/").showsIn("#locks", "page/kept/one");
        browser.go("/#/locks/page/kept/one").showsIn(".terms", "Kept after release");
        assertFalse(browser.text(".terms").contains("Owner"), () -> browser.text(".terms"));
        browser.click("#break")
                .showsIn("dialog", "Nobody holds this lock")
                .type("#reason", "test")
                .click("#confirm");
        browser.showsIn("#result", "The lock is free.");
    }

    @Test
    void showsOldestLocksFirstAndTheirExtensions() {
        String token = held("page/age/b");
        browser.go("/#/?prefix=page/age/").showsIn("#locks", "page/age/b").showsIn("#live", "Live");
        held("page/age/a");
        browser.showsIn("#locks", "page/age/a");
        String names = "return [...document.querySelectorAll('.body .c-name')].map(cell => cell.innerText)";
        assertEquals(List.of("page/age/b", "page/age/a"), browser.script(names));
        client.extend("page/age/b", token);
        client.extend("page/age/b", token);
        browser.showsIn("#locks", "2\u00d7").click("#locks .body a").showsIn(".terms", "2 times");
        assertTrue(browser.text(".terms").matches("(?s).*Held since\\s+\\d.*"), () -> browser.text(".terms"));
    }

    @Test
    void searchesByPrefix() {
        held("page/search/a");
        held("page/other/b");
        browser.go("/#/?prefix=page/").shows("page/other/b").type("#prefix", "search/");
        browser.awaits("document.querySelectorAll('.body .row').length === 1").shows("page/search/a");
        assertTrue(browser.script("return location.hash").toString().endsWith("prefix=page%2Fsearch%2F"));
    }

    @Test
    void replacesTextForReadersWithoutScripts() {
        browser.go("/").showsIn("#main", "Masters");
        assertFalse(browser.text("#main").contains("JavaScript"), () -> browser.text("#main"));
    }

    @Test
    void filtersByPartOfNameOrOwner() {
        held("page/filter/first?owner=anna");
        held("page/filter/second?owner=ben");
        held("page/filter/third-ann?owner=carl");
        browser.go("/#/?prefix=page/filter/").shows("page/filter/second").type("#text", "ANN");
        browser.awaits("document.querySelectorAll('.body .row').length === 2").showsIn("#locks", "2 of 3 locks");
        browser.type("#text", "nobody").showsIn("#locks", "No lock here has");
    }

    /** Browsers may send checked texts to a service. */
    @Test
    void checksSpellingOfNoInput() {
        browser.go("/").showsIn("#live", "Live");
        String checked =
                "return [...document.querySelectorAll('input[type=search]')].filter(input => input.spellcheck).length";
        assertEquals(0L, browser.script(checked));
    }

    @Test
    void explainsHowToMakeFirstLock() {
        browser.go("/#/?prefix=page/none/").shows("No held lock begins with");
    }

    @Test
    void showsHostileTextAsText() {
        String name = "page/hostile/<img src=x onerror=alert(1)>/\"'&?#%\u202Egnp.\uD83D\uDD12";
        String owner = "javascript:alert(1)\u202E<b>";
        held(encoded(name) + "?owner=" + encoded(owner));
        browser.go("/#/?prefix=page/hostile/")
                .showsIn("#locks", "<img src=x onerror=alert(1)>")
                .showsIn("#locks", "\u27E8U+202E\u27E9gnp.\uD83D\uDD12")
                .showsIn("#locks", "javascript:alert(1)");
        assertEquals(0L, browser.script("return document.querySelectorAll('main img').length"));
        browser.click("#locks .body a").showsIn("#lock-title", "<img").showsIn(".terms", "javascript:alert(1)");
    }

    @Test
    void rejectsNamesThatNoLockHas() {
        held("page/harmless");
        for (String name : List.of("page/../page/harmless", "page/%2E%2E/x", "page//harmless", "./page", "page/")) {
            browser.go("/#/locks/" + name).showsIn(".lock", "not a valid name");
            assertEquals(0, browser.requests("^/locks"), name);
            assertEquals(0L, browser.script("return document.querySelectorAll('#break').length"));
        }
        browser.script("location.hash = '#/locks/page/%zz'");
        browser.showsIn("#lock-title", "page/%zz").showsIn(".lock", "not a valid name");
        browser.script("location.hash = '#/locks/page/harmless'");
        browser.showsIn(".terms", "Held");
    }

    @Test
    void keepsAddressOfLockThatIsOpenedWhileTyping() {
        held("page/typing/a");
        browser.go("/#/?prefix=page/typing/").showsIn("#locks", "page/typing/a");
        browser.script(
                """
                const field = document.getElementById('prefix');
                field.value = 'page/typing/b';
                field.dispatchEvent(new Event('input'));
                document.querySelector('#locks .body a').click();
                """);
        browser.showsIn(".terms", "Held").afterTimersOf(600);
        assertEquals("#/locks/page/typing/a", browser.script("return location.hash"));
    }

    @Test
    void showsPrefixThatApplies() {
        browser.go("/#/?prefix=page/none/").shows("No held lock begins with").click("h1 a");
        browser.awaits("document.getElementById('prefix').value === ''");
        browser.script("history.back()");
        browser.awaits("document.getElementById('prefix').value === 'page/none/'");
    }

    @Test
    void showsFilterThatAppliesAfterReturn() {
        held("page/filter/a");
        browser.go("/#/?prefix=page/filter/").type("#filter", "nothing").click("#locks .body a");
        browser.showsIn(".terms", "Held").click(".back");
        browser.awaits("document.getElementById('filter')");
        assertEquals("nothing", browser.script("return document.getElementById('filter').value"));
    }

    @Test
    void linksToNamesOfFullLength() {
        String name = "page/long/" + "x".repeat(502);
        held(name);
        browser.go("/#/locks/" + name).showsIn(".terms", "Held");
        assertEquals(false, browser.script("return document.documentElement.scrollWidth > innerWidth"));
    }

    @Test
    void breaksLockWithReasonAndShowsResult() {
        held("page/break?owner=gone");
        browser.go("/#/locks/page/break").showsIn(".terms", "gone").click("#break");
        browser.showsIn("dialog", "The holder is not told");
        assertEquals(true, browser.script("return document.getElementById('confirm').disabled"));
        browser.type("#reason", "worker is gone").click("#confirm").showsIn("#result", "The lock is broken");
        assertEquals(404, client.get("/locks/page/break").status());
    }

    @Test
    void tellsSecondTabThatLockWasBrokenAlready() {
        held("page/twice");
        browser.go("/#/locks/page/twice")
                .showsIn(".terms", "Held")
                .click("#break")
                .type("#reason", "first");
        String first = browser.newTab();
        browser.go("/#/locks/page/twice")
                .showsIn(".terms", "Held")
                .click("#break")
                .type("#reason", "second");
        browser.click("#confirm").showsIn("#result", "The lock is broken");
        browser.switchTo(first).click("#confirm").showsIn("#result", "already free");
    }

    @Test
    void asksAgainIfLockHasNewLease() {
        String token = held("page/new-lease");
        browser.go("/#/locks/page/new-lease")
                .showsIn(".terms", "Held")
                .click("#break")
                .type("#reason", "stuck");
        client.release("page/new-lease", token);
        held("page/new-lease?owner=successor");
        browser.click("#confirm").showsIn("#result", "new lease").showsIn("dialog", "successor");
        assertEquals(200, client.get("/locks/page/new-lease").status());
    }

    @Test
    void pausesAndFiltersActivity() {
        browser.go("/#/?prefix=page/pause/").showsIn("#live", "Live").click("#pause");
        held("page/pause/a");
        browser.showsIn("#activity", "1 new");
        assertFalse(browser.text("#activity").contains("page/pause/a"));
        browser.click("#pause").showsIn("#activity", "page/pause/a");
        browser.type("#filter", "nothing").showsIn("#activity", "not match");
    }

    /** Most events of a busy service are extensions. */
    @Test
    void showsExtensionsOnlyIfAsked() {
        browser.go("/#/?prefix=page/extended/").showsIn("#live", "Live");
        String token = held("page/extended/a");
        browser.showsIn("#activity", "acquired");
        client.extend("page/extended/a", token);
        client.release("page/extended/a", token);
        String kinds = "[...document.querySelectorAll('.event .kind')].map(kind => kind.innerText).join()";
        browser.awaits(kinds + " === 'released,acquired'");
        browser.click("#kind-extended").awaits(kinds + " === 'released,extended,acquired'");
    }

    @Test
    void chartsTellTheirPeriodAndPastValues() {
        browser.go("/").showsIn("#charts", "watched since ");
        held("page/chart");
        browser.showsIn("#charts .axis", "1 min ago");
        browser.script("document.querySelector('.chart').focus()");
        browser.press(Keys.ARROW_LEFT).awaits("document.querySelector('.chart .at').innerText");
    }

    @Test
    void offersFirstLock() {
        browser.before(
                """
                const real = fetch;
                window.fetch = (path, options) =>
                  path.startsWith('/locks?') && !window.taken ? Promise.resolve(new Response('{"locks":[]}')) : real(path, options);
                const clipboard = { writeText: text => { window.copied = text; return Promise.resolve(); } };
                Object.defineProperty(navigator, 'clipboard', { value: clipboard });
                """);
        browser.go("/").showsIn("#locks", "No locks are held").click("#locks .copy");
        browser.awaits("window.copied === document.getElementById('sample').innerText");
        browser.showsIn("#live", "Live").script("window.taken = true");
        browser.click("#example").showsIn("#locks", "example/1");
    }

    @Test
    void offersToBreakOnlyHeldLocks() {
        browser.go("/#/locks/page/free").showsIn(".lock", "Nobody holds this lock");
        assertEquals(0L, browser.script("return document.querySelectorAll('#break').length"));
    }

    @Test
    void foldsHealthyMastersOnPhone() {
        browser.emulate("light", 360);
        // On a busy machine, masters are slow for a while, and shown.
        browser.go("/").showsIn("#fleet", "Healthy").showsNoMoreIn("#fleet", "node-");
        browser.click("#fold").showsIn("#fleet", "node-5").click("#fold").showsNoMoreIn("#fleet", "node-5");
    }

    @Test
    void slashMovesToSearch() {
        held("page/slash/a");
        browser.go("/#/?prefix=page/slash/").showsIn("#locks", "page/slash/a").press("/");
        browser.awaits("document.activeElement.id === 'prefix'").press("b/c");
        assertEquals("page/slash/b/c", browser.script("return document.getElementById('prefix').value"));
    }

    @Test
    void worksByKeyboard() {
        held("page/keys/a");
        browser.go("/#/?prefix=page/keys/").showsIn("#locks", "page/keys/a");
        browser.script("document.querySelector('#locks .body a').focus()");
        browser.press("\n").showsIn("#lock-title", "page/keys/a");
        browser.awaits("document.getElementById('break')").script("document.getElementById('break').focus()");
        browser.press("\n").awaits("document.activeElement.closest('dialog')");
        browser.press("\uE00C").awaits("document.activeElement.id === 'break'");
    }

    private String held(String resource) {
        return Leases.held(client, resource);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
