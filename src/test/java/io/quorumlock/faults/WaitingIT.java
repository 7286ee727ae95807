// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.quorumlock.testing.Claims;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.LockClient.Answer;
import io.quorumlock.testing.MachineDelay;
import io.quorumlock.testing.Proves;
import io.quorumlock.testing.RedisServer;
import io.quorumlock.testing.RedisServers;
import io.quorumlock.testing.ServiceProcess;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Waiting for locks on two replicas while holders, clients, announcements and replicas fail. */
@Isolated
@Tag("nightly")
@Proves({"L1", "R12"})
class WaitingIT {
    /** A limit that only a hang exceeds. */
    private static final Duration LONG = Duration.ofMinutes(2);

    private static final Duration TTL = Duration.ofSeconds(5);
    private static final Duration MOST_LATE = Duration.ofMillis(200);
    private static final int TRIES = 3;
    private static final int LONGEST_WAIT_MS = 60_000;
    private static final String WAIT_MAX = "-Dquorumlock.wait.max=1m";
    private static final int RELEASES = 5;
    private static final Duration MOST_WITHOUT_ANNOUNCEMENT = Duration.ofMillis(2_500);

    private static List<RedisServer> masters;
    private static ServiceProcess one;
    private static ServiceProcess two;
    private static ExecutorService threads;

    @BeforeAll
    static void start() {
        masters = RedisServers.start(5);
        threads = Executors.newCachedThreadPool();
        one = ServiceProcess.on(masters, WAIT_MAX);
        two = ServiceProcess.on(masters, WAIT_MAX);
    }

    @AfterAll
    static void stop() {
        threads.shutdownNow();
        one.close();
        two.close();
        RedisServers.close(masters);
    }

    @Test
    void servesWaitersInSequence() {
        Claims claims = new Claims();
        List<CompletableFuture<Answer>> served = IntStream.range(0, 64)
                .mapToObj(i -> inBackground(() -> holdOnce(i % 2 == 0 ? one : two, claims)))
                .toList();
        // On a busy machine a release may be unconfirmed. The service repeats it.
        served.forEach(
                released -> assertTrue(Set.of(204, 503).contains(released.join().status())));
        claims.check();
        assertEquals(64, claims.count());
        assertNoWaiters();
    }

    private Answer holdOnce(ServiceProcess replica, Claims claims) {
        Answer lease = replica.client().acquire("hot", 5_000, LONGEST_WAIT_MS);
        assertEquals(201, lease.status(), lease.body()::toString);
        Claims.Holding claim = claims.granted("hot", lease, 5_000);
        claim.released();
        return replica.client().release("hot", lease.token());
    }

    /** L1: each attempt is within the limit, by the clock of the service. The delay of a busy machine is added. */
    @Test
    void grantsLockOfLostHolderAtEndOfLease() {
        for (int i = 0; i < TRIES; i++) {
            try (MachineDelay machine = new MachineDelay()) {
                Duration taken = timeBetweenGrants("vanished/" + i);
                Duration most = TTL.plus(MOST_LATE).plus(machine.total());
                assertTrue(taken.compareTo(most) <= 0, () -> "took " + taken + ", at most " + most);
            }
        }
    }

    private Duration timeBetweenGrants(String resource) {
        int ttlMs = (int) TTL.toMillis();
        Answer held = one.client().acquire(resource, ttlMs);
        assertEquals(201, held.status(), held.body()::toString);
        Answer waited = two.client().acquire(resource, ttlMs, LONGEST_WAIT_MS);
        assertEquals(201, waited.status(), waited.body()::toString);
        return Duration.between(granted(held.body()), granted(waited.body()));
    }

    /** Returns when a lease was granted, by the clock of the service. */
    private static Instant granted(JsonNode lease) {
        return Instant.parse(lease.path("expiresAt").asText())
                .minusMillis(lease.path("validityMs").asLong());
    }

    /** R12: after a release that it does not hear of, a waiter has the lock within a TTL and a second. */
    @Test
    void servesWaitersWithoutAnnouncements() {
        AtomicBoolean over = new AtomicBoolean();
        CompletableFuture<?> cutting = CompletableFuture.runAsync(() -> cutAnnouncements(over), threads);
        for (int i = 0; i < RELEASES; i++) {
            Answer lease = one.client().acquire("unannounced", 1_500, LONGEST_WAIT_MS);
            assertEquals(201, lease.status(), lease.body()::toString);
            CompletableFuture<Answer> next =
                    inBackground(() -> two.client().acquire("unannounced", 1_500, LONGEST_WAIT_MS));
            Eventually.within(LONG, "one waiter", () -> waiters(two, "unannounced") == 1);
            Answer got;
            try (MachineDelay machine = new MachineDelay()) {
                Answer released = one.client().release("unannounced", lease.token());
                got = next.join();
                Duration waited = Duration.ofNanos(got.received() - released.received());
                Duration most = MOST_WITHOUT_ANNOUNCEMENT.plus(machine.total());
                assertTrue(waited.compareTo(most) < 0, () -> "waited for " + waited + ", at most " + most);
            }
            assertEquals(201, got.status());
            two.client().release("unannounced", got.token());
        }
        over.set(true);
        cutting.join();
    }

    private void cutAnnouncements(AtomicBoolean over) {
        while (!over.get()) {
            masters.forEach(master -> master.cli("CLIENT", "KILL", "TYPE", "pubsub"));
        }
    }

    @Test
    void shutdownAnswersWaiters() {
        ServiceProcess ending = ServiceProcess.on(masters, WAIT_MAX);
        one.client().acquire("ending", 60_000);
        List<CompletableFuture<Answer>> waiting = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            waiting.add(inBackground(() -> ending.client().acquire("ending", 60_000, LONGEST_WAIT_MS)));
        }
        Eventually.within(LONG, "all waiting", () -> waiters(ending, "ending") == 100);
        ending.terminate();
        for (CompletableFuture<Answer> answer : waiting) {
            assertEquals("shutting-down", answer.join().problem());
        }
        ending.exitCode();
        ending.close();
    }

    private void assertNoWaiters() {
        Eventually.within(LONG, "no waiters left", () -> waiting(one) == 0 && waiting(two) == 0);
    }

    private static int waiting(ServiceProcess replica) {
        return replica.client().metric("quorumlock_waiters");
    }

    private static int waiters(ServiceProcess replica, String resource) {
        return replica.client().get("/locks/" + resource).body().path("waiters").asInt();
    }

    private CompletableFuture<Answer> inBackground(Supplier<Answer> call) {
        return CompletableFuture.supplyAsync(call, threads).orTimeout(LONG.toSeconds(), TimeUnit.SECONDS);
    }
}
