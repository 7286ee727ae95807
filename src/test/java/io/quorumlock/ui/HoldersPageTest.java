// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.ui;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Locks of several holders, leases of several locks, and a slow replica in the operator's page. */
@Tag("tools")
@QuarkusTest
class HoldersPageTest extends PageFixture {
    @Test
    void showsEachHolderAndBreaksOne() {
        held("page/readers?mode=shared&owner=reader-1");
        held("page/readers?mode=shared&owner=reader-2");
        browser.go("/#/locks/page/readers")
                .showsIn(".terms", "shared by 2")
                .showsIn(".holders", "reader-2")
                .click("button[aria-label='Break the lease of reader-1']");
        browser.showsIn("dialog", "Holder: reader-1, fencing token ")
                .showsIn("dialog", "The other holder keeps its lease")
                .type("#reason", "gone")
                .click("#confirm");
        browser.showsIn("#result", "The lease is broken").showsNoMoreIn(".holders", "reader-1");
        assertEquals(
                "reader-2",
                client.get("/locks/page/readers").body().path("owner").asText());
    }

    @Test
    void dialogNamesAllHoldersThatItBreaks() {
        held("page/all?slots=3&owner=job-1");
        held("page/all?slots=3&owner=job-2");
        browser.go("/#/locks/page/all").showsIn(".terms", "2 of 3 slots").click("#break");
        browser.showsIn("dialog", "the leases of all 2 holders")
                .showsIn(".holder-list", "job-1, slot ")
                .showsIn(".holder-list", "job-2, slot ")
                .type("#reason", "gone");
        held("page/all?slots=3&owner=job-3");
        browser.click("#confirm").showsIn("#result", "The holders have changed").showsIn(".holder-list", "job-3");
        browser.click("#confirm").showsIn("#result", "The lock is broken");
        assertEquals(404, client.get("/locks/page/all").status());
    }

    /** The first of them that ends is not the lock. */
    @Test
    void rowOfSeveralHoldersLastsAsLongAsOneOfThem() {
        browser.go("/#/?prefix=page/several/").showsIn("#live", "Live");
        held("page/several/a?slots=4&owner=job-1");
        held("page/several/a?slots=4&owner=job-2");
        String token = held("page/several/a?slots=4&owner=job-3");
        browser.showsIn("#locks", "3 of 4 slots").showsIn("#locks .body .c-owner", "job-");
        client.release("page/several/a", token);
        browser.showsIn("#locks", "2 of 4 slots").showsIn("#activity", "released");
        client.acquire("page/several/a?slots=4&owner=job-4", 10_000);
        browser.showsIn("#locks", "3 of 4 slots")
                .showsIn("#activity", "expired")
                .showsIn("#locks", "2 of 4 slots");
        client.force("page/several/a", "test", "page");
        browser.showsNoMoreIn("#locks .body", "page/several/a");
    }

    @Test
    void showsLocksOfOneLease() {
        client.several("POST", "/locks", "names=page/set/a&names=page/set/b&ttlMs=60000", "token-of-page-set");
        browser.go("/#/?prefix=page/set/").showsIn("#locks", "one of 2").click("#locks .body a");
        browser.showsIn(".terms", "page/set/a, page/set/b").click("#break");
        browser.showsIn("dialog", "Without this one the whole lease is lost");
    }

    @Test
    void marksLocksHeldForLong() {
        held("page/long/a");
        browser.before("const real = Date.now; Date.now = () => real() + 3700000;");
        browser.go("/#/?prefix=page/long/")
                .showsIn("#locks .body .c-name", "long")
                .showsIn("#locks .body .c-age", "1h 1m");
    }

    /** The lease was not extended, so that its age is a part of its TTL. */
    @Test
    void barShowsPartOfTtlFromFirstSight() {
        held("page/bar/a");
        browser.before("const real = Date.now; Date.now = () => real() + 180000;");
        browser.go("/#/?prefix=page/bar/").awaits(barIsShort("#locks .body .fill"));
        browser.go("/#/locks/page/bar/a").awaits(barIsShort(".terms .fill"));
    }

    private static String barIsShort(String bar) {
        return "parseFloat(document.querySelector('%s')?.style.transform.slice('scaleX('.length)) < 0.3".formatted(bar);
    }

    @Test
    void onlyHolderHasOneButton() {
        held("page/one-slot?slots=1&owner=job-1");
        browser.go("/#/locks/page/one-slot").showsIn(".holders", "job-1");
        assertEquals(1L, browser.script("return document.querySelectorAll('.panel button.danger').length"));
    }

    @Test
    void saysThatReplicaIsSlowAndNotItsMasters() {
        browser.before(
                """
                const real = fetch;
                window.fetch = async (path, options) => {
                  const answer = await real(path, options);
                  if (path !== '/nodes') return answer;
                  const nodes = await answer.json();
                  nodes.nodes.forEach(node => { node.latencyMs = 80; });
                  return new Response(JSON.stringify({ ...nodes, stalledMs: 120 }));
                };
                """);
        browser.go("/").showsIn("#stalled", "Masters seem slow because this replica got no CPU for 120 ms");
        assertFalse(browser.text("#fleet").contains("Slow"), () -> browser.text("#fleet"));
    }

    @Test
    void saysThatEventsAreOfKindsThatAreNotSelected() {
        browser.go("/#/?prefix=page/hidden-kinds/").showsIn("#live", "Live");
        browser.click("#kind-acquired");
        held("page/hidden-kinds/a");
        browser.showsIn("#activity", "1 event of kinds that are not selected");
    }

    private String held(String resource) {
        return Leases.held(client, resource);
    }
}
