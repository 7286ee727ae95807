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
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * A fixed plan of faults on five masters while clients of two replicas contend: two masters are suspended, one is killed
 * and returns without its data, one is killed and returns with them. Clients get leases all the time (L2), no two leases of
 * a resource overlap (S1), later ones have larger fencing tokens (S3), only the token of a lease extends or releases it
 * (S4), and no key is left (N).
 */
class FaultsIT {
    private static final int CLIENTS = 8;
    private static final int RESOURCES = 12;
    private static final int TTL_MS = 600;
    /** The leases that clients must get during each fault. */
    private static final int LEASES = 100;
    /** A limit that only a hang exceeds. */
    private static final Duration LONG = Duration.ofMinutes(2);

    private final Claims claims = new Claims();
    private final AtomicBoolean over = new AtomicBoolean();

    @Test
    void keepsGuaranteesWhileMastersFail() {
        List<RedisServer> masters = RedisServers.start(5, "--appendonly", "yes", "--appendfsync", "always");
        ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
        try (ServiceProcess one = ServiceProcess.startReady(environment(masters));
                ServiceProcess two = ServiceProcess.startReady(environment(masters))) {
            List<LockClient> replicas = List.of(one.client(), two.client());
            replicas.forEach(replica -> awaitUp(replica, 5));
            CompletableFuture<?>[] clients = IntStream.range(0, CLIENTS)
                    .mapToObj(i -> CompletableFuture.runAsync(() -> contend(new Random(i), replicas), threads))
                    .toArray(CompletableFuture[]::new);
            try {
                inflict(masters, replicas);
            } finally {
                over.set(true);
                CompletableFuture.allOf(clients).join();
            }
            claims.check();
            Eventually.within(LONG, "no locks left", () -> locks(masters) == 0);
        } finally {
            threads.shutdown();
            RedisServers.close(masters);
        }
    }

    private void inflict(List<RedisServer> masters, List<LockClient> replicas) {
        List<RedisServer> suspended = masters.subList(0, 2);
        suspended.forEach(RedisServer::suspend);
        awaitLeases();
        suspended.forEach(RedisServer::resume);
        replicas.forEach(replica -> awaitUp(replica, 5));

        RedisServer emptied = masters.get(2);
        emptied.killAndEmpty();
        awaitLeases();
        emptied.start();
        replicas.forEach(replica ->
                Eventually.within(LONG, "no quarantine", () -> quarantineMs(replica, 2) > 0 || up(replica) == 5));
        awaitLeases();
        replicas.forEach(replica -> awaitUp(replica, 5));

        masters.get(3).kill();
        awaitLeases();
        masters.get(3).start();
        awaitLeases();
        replicas.forEach(replica -> awaitUp(replica, 5));
    }

    private void awaitLeases() {
        int enough = claims.count() + LEASES;
        Eventually.within(LONG, () -> claims.count() + " leases", () -> claims.count() >= enough);
    }

    /** Acquires, extends and releases on either replica, and lets some leases expire. */
    private void contend(Random random, List<LockClient> replicas) {
        while (!over.get()) {
            String resource = "contended/" + random.nextInt(RESOURCES);
            Answer lease = any(random, replicas).acquire(resource, TTL_MS);
            if (lease.status() == 201) {
                use(random, replicas, resource, lease);
            } else {
                assertExpected(lease, 423);
            }
        }
    }

    private void use(Random random, List<LockClient> replicas, String resource, Answer lease) {
        Claims.Holding claim = claims.granted(resource, lease, TTL_MS);
        assertExpected(any(random, replicas).release(resource, "nobody-has-this-token"), 404, 409);
        if (random.nextInt(4) == 0) {
            assertExpected(any(random, replicas).extend(resource, lease.token()), 200, 404, 409);
        }
        if (random.nextInt(20) > 0) {
            claim.released();
            assertExpected(any(random, replicas).release(resource, lease.token()), 204, 404, 409);
        }
    }

    private static LockClient any(Random random, List<LockClient> replicas) {
        return replicas.get(random.nextInt(replicas.size()));
    }

    /** On a busy machine too few masters can answer in time. */
    private static void assertExpected(Answer answer, Integer... expected) {
        if (answer.status() == 503) {
            assertTrue(List.of("no-quorum", "release-incomplete").contains(answer.problem()), answer.body()::toString);
        } else {
            assertTrue(List.of(expected).contains(answer.status()), answer.body()::toString);
        }
    }

    private static Map<String, String> environment(List<RedisServer> masters) {
        String nodes = masters.stream().map(master -> master.url().toString()).collect(Collectors.joining(","));
        return Map.of(
                "QUORUMLOCK_NODES",
                nodes,
                "QUORUMLOCK_RESTART_GUARD_ENABLED",
                "true",
                "QUORUMLOCK_TTL_DEFAULT",
                "1s",
                "QUORUMLOCK_TTL_MAX",
                "1s");
    }

    private static void awaitUp(LockClient replica, int count) {
        Eventually.within(LONG, () -> replica.get("/nodes").body().toString(), () -> up(replica) == count);
    }

    private static int up(LockClient replica) {
        return replica.get("/nodes").body().path("up").asInt();
    }

    private static long quarantineMs(LockClient replica, int node) {
        return replica.get("/nodes")
                .body()
                .path("nodes")
                .get(node)
                .path("quarantineMs")
                .asLong();
    }

    /** Counts only locks. Fencing counters live for a week. */
    private static int locks(List<RedisServer> masters) {
        return masters.stream()
                .mapToInt(master -> Integer.parseInt(master.cli("EVAL", "return #redis.call('KEYS', 'lock:*')", "0")))
                .sum();
    }
}
