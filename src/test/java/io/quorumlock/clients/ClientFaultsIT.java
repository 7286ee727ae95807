// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.LocalService;
import io.quorumlock.testing.MachineDelay;
import io.quorumlock.testing.RedisServer;
import io.quorumlock.testing.ServiceProcess;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** What the clients do when connections, replicas, masters or they themselves fail, in all languages. */
@Isolated
@Tag("nightly")
class ClientFaultsIT {
    private static final int TTL_MS = 6_000;
    private static final Duration TTL = Duration.ofMillis(TTL_MS);
    private static final int LONG_TTL_MS = 30_000;
    private static final Duration ANSWER = Duration.ofSeconds(15);

    private static LocalService service;

    @BeforeAll
    static void start() {
        ClientKind.installed().forEach(ClientKind::build);
        service = LocalService.start();
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @Test
    void unreachableServiceIsReported() {
        Scenario.run("unreachable", (kind, lock) -> {
            try (ClientDriver driver = ClientDriver.of(kind, URI.create("http://127.0.0.1:1"))) {
                JsonNode failed = driver.acquire(lock, LONG_TTL_MS, 0);
                assertEquals("unavailable", failed.path("error").asText(), failed::toString);
            }
        });
    }

    @Test
    void leaseSurvivesItsReplica() {
        ServiceProcess other = ServiceProcess.on(service.masters());
        List<ClientDriver> drivers = new ArrayList<>();
        try (other) {
            Scenario.run("replica-killed", (kind, lock) -> {
                ClientDriver driver = ClientDriver.of(kind, other.uri(), service.uri());
                synchronized (drivers) {
                    drivers.add(driver);
                }
                driver.lease(lock, TTL_MS);
            });
        }
        // The other replica is dead now.
        pause(TTL.plusSeconds(1));
        Scenario.run("replica-killed", (kind, lock) -> {
            ClientDriver driver = of(kind, drivers);
            try (driver) {
                assertTrue(driver.held());
                assertFalse(driver.release());
                Scenario.assertFree(service.client(), lock);
            }
        });
    }

    @Test
    void leaseSurvivesShortAbsenceOfMajority() {
        List<ClientDriver> drivers = acquireWithAll("masters-short");
        whileMajorityIsAway(() -> pause(TTL.dividedBy(3)));
        pause(TTL);
        Scenario.run("masters-short", (kind, lock) -> {
            try (ClientDriver driver = of(kind, drivers)) {
                assertTrue(driver.held());
                assertFalse(driver.hasLoss());
                assertFalse(driver.release());
                Scenario.assertFree(service.client(), lock);
            }
        });
    }

    @Test
    void lossIsReportedBeforeLeaseEnds() {
        List<ClientDriver> drivers = acquireWithAll("masters-long");
        whileMajorityIsAway(() -> {
            long away = System.nanoTime();
            try (MachineDelay machine = new MachineDelay()) {
                Scenario.run("masters-long", (kind, lock) -> {
                    ClientDriver driver = of(kind, drivers);
                    Duration after = Duration.ofNanos(driver.loss(TTL).at() - away);
                    // No extension succeeded since then, so no lease lasts longer.
                    assertTrue(after.compareTo(TTL.plus(machine.total())) < 0, () -> "after " + after);
                    assertFalse(driver.held());
                });
            }
        });
        Scenario.run("masters-long", (kind, lock) -> {
            try (ClientDriver driver = of(kind, drivers)) {
                assertTrue(driver.release(), "lost before the release");
                assertFalse(driver.hasLoss(), "reported once");
            }
        });
    }

    @Test
    void brokenLeaseIsReportedWithinAnExtension() {
        Scenario.run("broken", (kind, lock) -> {
            try (ClientDriver driver = ClientDriver.of(kind, service.uri())) {
                driver.lease(lock, TTL_MS);
                Scenario.force(service.client(), lock);
                driver.loss(TTL.dividedBy(3).plusSeconds(1));
                assertFalse(driver.held());
                assertTrue(driver.release());
            }
        });
    }

    @Test
    void stoppedClientHoldsNothingAfterItsLease() {
        Scenario.run("stopped", (kind, lock) -> {
            try (ClientDriver driver = ClientDriver.of(kind, service.uri())) {
                driver.lease(lock, TTL_MS);
                driver.signal("STOP");
                Eventually.within(
                        TTL.plusSeconds(2),
                        "free",
                        () -> Scenario.inspect(service.client(), lock).status() == 404);
                driver.signal("CONT");
                driver.loss(ANSWER);
                assertFalse(driver.held());
                assertTrue(driver.release());
            }
        });
    }

    @Test
    void noExtensionFollowsRelease() {
        Scenario.run("release-during-extension", (kind, lock) -> {
            CountDownLatch released = new CountDownLatch(1);
            try (FaultyProxy proxy = new FaultyProxy(service.uri());
                    ClientDriver driver = ClientDriver.of(kind, proxy.uri())) {
                proxy.next("PUT", FaultyProxy.heldAnswer(released));
                driver.lease(lock, TTL_MS);
                Eventually.within(TTL, "extends", () -> proxy.hasSeen("PUT"));
                assertFalse(driver.release());
                Scenario.assertFree(service.client(), lock);
                released.countDown();
                assertFalse(driver.held());
                pause(TTL.dividedBy(2));
                List<String> methods =
                        proxy.seen().stream().map(FaultyProxy.Seen::method).toList();
                assertEquals("DELETE", methods.get(methods.size() - 1), methods::toString);
                Scenario.assertFree(service.client(), lock);
            }
        });
    }

    /** Acquires with all clients. They keep their leases until they are told otherwise. */
    private static List<ClientDriver> acquireWithAll(String scenario) {
        List<ClientDriver> drivers = new ArrayList<>();
        Scenario.run(scenario, (kind, lock) -> {
            ClientDriver driver = ClientDriver.of(kind, service.uri());
            synchronized (drivers) {
                drivers.add(driver);
            }
            driver.lease(lock, TTL_MS);
        });
        return drivers;
    }

    private static ClientDriver of(ClientKind kind, List<ClientDriver> drivers) {
        return drivers.stream()
                .filter(driver -> driver.kind() == kind)
                .findFirst()
                .orElseThrow();
    }

    private static void whileMajorityIsAway(Runnable work) {
        service.masters().subList(0, 3).forEach(RedisServer::suspend);
        try {
            work.run();
        } finally {
            service.masters().subList(0, 3).forEach(RedisServer::resume);
            Eventually.within(ANSWER, service::output, service.client()::isReady);
        }
    }

    private static void pause(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        while (end - System.nanoTime() > 0) {
            LockSupport.parkNanos(end - System.nanoTime());
        }
    }
}
