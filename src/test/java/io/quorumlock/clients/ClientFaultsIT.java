// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.LocalService;
import io.quorumlock.testing.LockClient;
import io.quorumlock.testing.RedisServer;
import io.quorumlock.testing.ServiceProcess;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
    private static final Map<String, String> HTML = Map.of("Content-Type", "text/html");

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
    void lostAnswerLosesNoLease() {
        Scenario.run("lost-answer", (kind, lock) -> {
            try (FaultyProxy proxy = new FaultyProxy(service.uri());
                    ClientDriver driver = driver(kind, proxy.uri())) {
                proxy.next("POST", FaultyProxy.lostAnswer());
                JsonNode lease = assertLease(driver.acquire(lock, LONG_TTL_MS, 0));
                assertEquals(inspect(lock).body().get("fencingToken"), lease.get("fencingToken"));
                proxy.next("DELETE", FaultyProxy.lostAnswer());
                assertFalse(driver.release());
                assertFree(lock);
            }
        });
    }

    @Test
    void gatewayErrorsAreRepeatedAfterRetryAfter() {
        Scenario.run("retry-after", (kind, lock) -> {
            try (FaultyProxy proxy = new FaultyProxy(service.uri());
                    ClientDriver driver = driver(kind, proxy.uri())) {
                proxy.next("POST", FaultyProxy.answer(503, Map.of("Retry-After", "1"), ""));
                assertLease(driver.acquire(lock, LONG_TTL_MS, 3_000));
                List<FaultyProxy.Seen> seen = proxy.seen();
                Duration pause = Duration.ofNanos(seen.get(1).at() - seen.get(0).at());
                assertTrue(pause.toMillis() >= 990, () -> "after " + pause);
                assertFalse(driver.release());
            }
        });
    }

    @Test
    void otherAnswersThanJsonAreRefusedAndNothingStaysLocked() {
        Scenario.run("html", (kind, lock) -> {
            try (FaultyProxy proxy = new FaultyProxy(service.uri());
                    ClientDriver driver = driver(kind, proxy.uri())) {
                proxy.next("POST", FaultyProxy.answer(200, HTML, "<html>Welcome</html>"));
                JsonNode refused = driver.acquire(lock, LONG_TTL_MS, 0);
                assertEquals("refused", refused.path("error").asText(), refused::toString);
                assertTrue(proxy.seen().stream().anyMatch(seen -> seen.method().equals("DELETE")));
            }
        });
    }

    @Test
    void nothingStaysLockedAfterLostAnswers() {
        Scenario.run("unavailable", (kind, lock) -> {
            try (FaultyProxy proxy = new FaultyProxy(service.uri());
                    ClientDriver driver = driver(kind, proxy.uri())) {
                proxy.next(
                        "POST",
                        Stream.generate(FaultyProxy::lostAnswer).limit(500).toArray(FaultyProxy.Fault[]::new));
                JsonNode failed = driver.acquire(lock, LONG_TTL_MS, 0);
                assertEquals("unavailable", failed.path("error").asText(), failed::toString);
                assertFree(lock);
            }
        });
    }

    @Test
    void unreachableServiceIsReported() {
        Scenario.run("unreachable", (kind, lock) -> {
            try (ClientDriver driver = driver(kind, URI.create("http://127.0.0.1:1"))) {
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
                ClientDriver driver = driver(kind, other.uri(), service.uri());
                synchronized (drivers) {
                    drivers.add(driver);
                }
                assertLease(driver.acquire(lock, TTL_MS, 0));
            });
        }
        // The other replica is dead now.
        pause(TTL.plusSeconds(1));
        Scenario.run("replica-killed", (kind, lock) -> {
            ClientDriver driver = of(kind, drivers);
            try (driver) {
                assertTrue(driver.held());
                assertFalse(driver.release());
                assertFree(lock);
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
                assertFree(lock);
            }
        });
    }

    @Test
    void lossIsReportedBeforeLeaseEnds() {
        List<ClientDriver> drivers = acquireWithAll("masters-long");
        whileMajorityIsAway(() -> {
            long away = System.nanoTime();
            Scenario.run("masters-long", (kind, lock) -> {
                ClientDriver driver = of(kind, drivers);
                Duration after = Duration.ofNanos(driver.loss(TTL).at() - away);
                // No extension succeeded since then, so no lease lasts longer.
                assertTrue(after.compareTo(TTL) < 0, () -> "after " + after);
                assertFalse(driver.held());
            });
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
            try (ClientDriver driver = driver(kind, service.uri())) {
                assertLease(driver.acquire(lock, TTL_MS, 0));
                assertEquals(
                        204, service.client().force(lock, "test", "clients").status());
                driver.loss(TTL.dividedBy(3).plusSeconds(1));
                assertFalse(driver.held());
                assertTrue(driver.release());
            }
        });
    }

    @Test
    void stoppedClientHoldsNothingAfterItsLease() {
        Scenario.run("stopped", (kind, lock) -> {
            try (ClientDriver driver = driver(kind, service.uri())) {
                assertLease(driver.acquire(lock, TTL_MS, 0));
                driver.signal("STOP");
                Eventually.within(
                        TTL.plusSeconds(2), "free", () -> inspect(lock).status() == 404);
                driver.signal("CONT");
                assertFalse(driver.held());
                driver.loss(ANSWER);
                assertTrue(driver.release());
            }
        });
    }

    @Test
    void noExtensionFollowsRelease() {
        Scenario.run("release-during-extension", (kind, lock) -> {
            CountDownLatch released = new CountDownLatch(1);
            try (FaultyProxy proxy = new FaultyProxy(service.uri());
                    ClientDriver driver = driver(kind, proxy.uri())) {
                proxy.next("PUT", FaultyProxy.heldAnswer(released));
                assertLease(driver.acquire(lock, TTL_MS, 0));
                Eventually.within(TTL, "extends", () -> has(proxy, "PUT"));
                assertFalse(driver.release());
                assertFree(lock);
                released.countDown();
                assertFalse(driver.held());
                pause(TTL.dividedBy(2));
                List<String> methods =
                        proxy.seen().stream().map(FaultyProxy.Seen::method).toList();
                assertEquals("DELETE", methods.get(methods.size() - 1), methods::toString);
                assertFree(lock);
            }
        });
    }

    /** Acquires with all clients. They keep their leases until they are told otherwise. */
    private static List<ClientDriver> acquireWithAll(String scenario) {
        List<ClientDriver> drivers = new ArrayList<>();
        Scenario.run(scenario, (kind, lock) -> {
            ClientDriver driver = driver(kind, service.uri());
            synchronized (drivers) {
                drivers.add(driver);
            }
            assertLease(driver.acquire(lock, TTL_MS, 0));
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

    private static boolean has(FaultyProxy proxy, String method) {
        return proxy.seen().stream().anyMatch(seen -> seen.method().equals(method));
    }

    private static ClientDriver driver(ClientKind kind, URI... urls) {
        String all = Stream.of(urls).map(URI::toString).collect(Collectors.joining(","));
        return new ClientDriver(kind, Map.of("QUORUMLOCK_URL", all));
    }

    private static LockClient.Answer inspect(String lock) {
        return Scenario.inspect(service.client(), lock);
    }

    private static void assertFree(String lock) {
        assertEquals(404, inspect(lock).status());
    }

    private static JsonNode assertLease(JsonNode answer) {
        assertTrue(answer.has("lease"), answer::toString);
        return answer;
    }
}
