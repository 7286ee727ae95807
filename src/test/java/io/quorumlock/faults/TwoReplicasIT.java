// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.testing.Claims;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.LockClient;
import io.quorumlock.testing.LockClient.Answer;
import io.quorumlock.testing.RedisServer;
import io.quorumlock.testing.RedisServers;
import io.quorumlock.testing.ServiceProcess;
import io.quorumlock.testing.TestSize;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** S1 under contention: two replicas on the same masters, 64 clients, 100 resources. */
@Tag("nightly")
class TwoReplicasIT {
    private static final Duration RUN = Duration.ofSeconds(TestSize.of("contention.seconds", 10));
    /** A limit that only a hang exceeds. */
    private static final Duration LONG = Duration.ofMinutes(5);

    private static final int LEASES = 1_000;
    private static final int CLIENTS = 64;
    private static final int RESOURCES = 100;
    private static final int TTL_MS = 500;

    private final Claims claims = new Claims();
    private final AtomicInteger refused = new AtomicInteger();

    @Test
    void leasesOfAResourceNeverOverlap() {
        List<RedisServer> masters = RedisServers.start(5);
        try (ServiceProcess one = ServiceProcess.on(masters);
                ServiceProcess two = ServiceProcess.on(masters)) {
            runClients(one.client(), two.client());
            claims.check();
            assertTrue(claims.count() >= LEASES, () -> "only " + claims.count() + " leases");
            assertTrue(refused.get() > claims.count() / 20, () -> "too little contention: " + refused);
            Eventually.within(LONG, "no locks left", () -> locks(masters) == 0);
        } finally {
            RedisServers.close(masters);
        }
    }

    private void runClients(LockClient one, LockClient two) {
        ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
        long end = System.nanoTime() + RUN.toNanos();
        CompletableFuture<?>[] clients = IntStream.range(0, CLIENTS)
                .mapToObj(i -> CompletableFuture.runAsync(() -> lockUntil(end, new Random(i), one, two), threads))
                .toArray(CompletableFuture[]::new);
        CompletableFuture.allOf(clients).join();
        threads.shutdown();
    }

    /** Releases most leases on either replica, and lets some expire. Takes longer on a slow machine. */
    private void lockUntil(long end, Random random, LockClient one, LockClient two) {
        long latest = end + LONG.toNanos();
        while (System.nanoTime() < (claims.count() < LEASES ? latest : end)) {
            // Half of all calls use a tenth of the resources, so that there is contention.
            int bound = random.nextBoolean() ? RESOURCES / 10 : RESOURCES;
            String resource = "contended/" + random.nextInt(bound);
            Answer lease = (random.nextBoolean() ? one : two).acquire(resource, TTL_MS);
            if (lease.status() != 201) {
                count(lease, 423);
                continue;
            }
            Claims.Holding claim = claims.granted(resource, lease, TTL_MS);
            if (random.nextInt(20) > 0) {
                claim.released();
                Answer released = (random.nextBoolean() ? one : two).release(resource, lease.token());
                count(released, 204, 404, 409);
            }
        }
    }

    /**
     * Counts an answer of an expected status. On a busy machine a node can miss its deadline; then 503 is allowed too.
     */
    private void count(Answer answer, Integer... expected) {
        if (answer.status() == 503) {
            assertTrue(List.of("no-quorum", "release-incomplete").contains(answer.problem()), answer.body()::toString);
        } else {
            assertTrue(List.of(expected).contains(answer.status()), answer.body()::toString);
            refused.addAndGet(answer.status() == 423 ? 1 : 0);
        }
    }

    /** Counts only locks. Fencing counters live for a week. */
    private static int locks(List<RedisServer> masters) {
        return masters.stream()
                .mapToInt(master -> Integer.parseInt(master.cli("EVAL", "return #redis.call('KEYS', 'lock:*')", "0")))
                .sum();
    }
}
