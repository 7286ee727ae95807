// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.ui;

import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.LockClient;
import io.quorumlock.testing.RedisServer;
import io.quorumlock.testing.RedisServers;
import io.quorumlock.testing.ServiceProcess;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The operator's page while masters and the service fail and return. */
@Tag("nightly")
@Order(1)
class PageFaultsIT {
    private static final int LONG = 60_000;

    private List<RedisServer> masters;
    private Map<String, String> environment;

    @BeforeEach
    void start() {
        masters = RedisServers.start(5);
        String nodes = masters.stream().map(master -> master.url().toString()).collect(Collectors.joining(","));
        environment = Map.of("QUORUMLOCK_NODES", nodes);
    }

    @AfterEach
    void stop() {
        RedisServers.close(masters);
    }

    @Test
    void tellsWhichMastersAreAwayAndRecovers() {
        try (ServiceProcess service = ServiceProcess.startReady(environment);
                Browser browser = Browser.open(service.uri())) {
            browser.go("/").showsIn("#fleet", "Healthy: tolerates 2 failures").showsIn("#live", "Live");
            masters.subList(0, 2).forEach(RedisServer::kill);
            browser.showsIn("#fleet", "Degraded: tolerates no more failures").showsIn("#fleet", "No connection");
            masters.get(2).kill();
            browser.showsIn("#fleet", "no locks are granted until 1 master returns")
                    .showsIn("#live", "May have missed events");
            masters.subList(0, 3).forEach(RedisServer::start);
            browser.showsIn("#fleet", "Healthy: tolerates 2 failures").showsIn("#live", "Live");
            acquire(service, "page/after");
            browser.showsIn("#locks", "page/after");
        }
    }

    @Test
    void newPageShowsLastKnownLocksWithoutMajority() {
        try (ServiceProcess service = ServiceProcess.startReady(environment);
                Browser browser = Browser.open(service.uri())) {
            acquire(service, "page/known?owner=me");
            masters.subList(0, 3).forEach(RedisServer::kill);
            browser.go("/").showsIn("#locks", "Too few masters answer").showsIn(".stale", "page/known");
            masters.subList(0, 3).forEach(RedisServer::start);
            browser.showsIn("#live", "Live").awaits("!document.querySelector('.stale')");
        }
    }

    /** Masters that have just continued need some time, and a late answer does not confirm the release. */
    @Test
    void breaksLockWhenMajorityReturns() {
        try (ServiceProcess service = ServiceProcess.startReady(environment);
                Browser browser = Browser.open(service.uri())) {
            acquire(service, "page/no-majority");
            browser.go("/#/locks/page/no-majority")
                    .showsIn(".terms", "Held")
                    .click("#break")
                    .type("#reason", "stuck");
            masters.subList(0, 3).forEach(RedisServer::suspend);
            browser.click("#confirm").showsIn("#result", "Too few masters answer");
            masters.subList(0, 3).forEach(RedisServer::resume);
            browser.showsIn("#fleet", "Healthy: tolerates 2 failures")
                    .click("#confirm")
                    .showsIn("#result", "The lock is broken");
        }
    }

    @Test
    void countsQuarantineDown() {
        Map<String, String> guarded = new HashMap<>(environment);
        guarded.putAll(Map.of(
                "QUORUMLOCK_RESTART_GUARD_ENABLED",
                "true",
                "QUORUMLOCK_TTL_DEFAULT",
                "5s",
                "QUORUMLOCK_TTL_MAX",
                "10s"));
        try (ServiceProcess service = ServiceProcess.startReady(guarded);
                Browser browser = Browser.open(service.uri())) {
            browser.go("/").showsIn("#fleet", "Healthy: tolerates 2 failures");
            masters.get(0).restart();
            browser.showsIn("#fleet", "Quarantined")
                    .awaits("/[1-9]\\d?(\\.\\d)?s/.test(document.querySelector('.countdown')?.textContent)")
                    .showsIn("#fleet", "Degraded: tolerates 1 more failure");
            browser.showsNoMoreIn("#fleet", "Quarantined").showsIn("#fleet", "Healthy: tolerates 2 failures");
        }
    }

    @Test
    void tellsWhenTooManyStreamsAreOpen() {
        Map<String, String> limited = new HashMap<>(environment);
        limited.put("QUORUMLOCK_EVENTS_STREAMS_MAX", "1");
        try (ServiceProcess service = ServiceProcess.startReady(limited);
                Browser browser = Browser.open(service.uri())) {
            browser.go("/").showsIn("#live", "Live");
            String first = browser.newTab();
            browser.go("/").showsIn("#live", "Reconnecting").showsIn("#locks", "Too many requests");
            browser.switchTo(first).closeTab().showsIn("#live", "Live");
        }
    }

    @Test
    void tellsThatServiceIsAwayAndRecovers() {
        ServiceProcess first = ServiceProcess.startReady(environment);
        int port = first.uri().getPort();
        try (Browser browser = Browser.open(first.uri())) {
            browser.go("/").showsIn("#live", "Live");
            first.close();
            browser.showsIn("#live", "Reconnecting").showsIn("#fleet", "The service does not answer");
            try (ServiceProcess second = ServiceProcess.startReadyOn(port, environment)) {
                browser.showsIn("#live", "Live").showsIn("#fleet", "Healthy: tolerates 2 failures");
                acquire(second, "page/restarted");
                browser.showsIn("#locks", "page/restarted");
            }
        } finally {
            first.close();
        }
    }

    /** Acquires a lock. The first tries may fail on a busy machine. */
    private static void acquire(ServiceProcess service, String path) {
        LockClient client = new LockClient(service.uri());
        Eventually.holds(path, () -> client.acquire(path, LONG).status() == 201);
    }
}
