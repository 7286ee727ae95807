// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.MissingNode;
import io.quorumlock.testing.Claims;
import io.quorumlock.testing.LockClient;
import io.quorumlock.testing.LockClient.Answer;
import io.quorumlock.testing.RedisServer;
import io.quorumlock.testing.RedisServers;
import io.quorumlock.testing.ServiceProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** Mutual exclusion between node-redlock and clients of the service, with an empty key prefix. */
@Tag("tools")
@EnabledIf(value = "io.quorumlock.interop.Packages#canRunNode", disabledReason = "node and npm are not on the PATH")
class NodeRedlockIT {
    private static final Duration LEAST = Duration.ofSeconds(5);
    private static final Duration MOST = Duration.ofSeconds(60);
    private static final int RESOURCES = 3;
    private static final int TTL_MS = 1_000;
    private static final int LONG_TTL_MS = 60_000;

    private static Path folder;
    private static List<RedisServer> masters;
    private static ServiceProcess service;
    private static LockClient client;
    private static NodeRedlock node;

    private final Claims claims = new Claims();
    private final Tally ofService = new Tally();
    private final Tally ofNode = new Tally();

    private record Tally(AtomicInteger granted, AtomicInteger refused) {
        Tally() {
            this(new AtomicInteger(), new AtomicInteger());
        }

        boolean isEvidence() {
            return granted.get() > 20 && refused.get() > 20;
        }

        boolean count(boolean grant) {
            (grant ? granted : refused).incrementAndGet();
            return grant;
        }
    }

    @BeforeAll
    static void start() {
        folder = Packages.ofNode("node");
        masters = RedisServers.start(5);
        String nodes = masters.stream().map(master -> master.url().toString()).collect(Collectors.joining(","));
        service = ServiceProcess.startReady(Map.of("QUORUMLOCK_NODES", nodes, "QUORUMLOCK_LOCK_PREFIX", ""));
        client = service.client();
        node = NodeRedlock.start(folder, masters);
    }

    @AfterAll
    static void stop() {
        if (node != null) {
            node.close();
        }
        if (service != null) {
            service.close();
        }
        if (masters != null) {
            RedisServers.close(masters);
        }
    }

    @Test
    void nodeRedlockCannotAcquireLocksOfService() {
        Answer lease = client.acquire("ours", LONG_TTL_MS);
        assertEquals(201, lease.status());
        assertFalse(node.acquire("ours", LONG_TTL_MS));
        assertEquals(200, client.extend("ours", lease.token()).status());
        assertFalse(node.acquire("ours", LONG_TTL_MS));
        assertEquals(204, client.release("ours", lease.token()).status());
        assertTrue(node.acquire("ours", LONG_TTL_MS));
    }

    @Test
    void serviceRefusesLocksOfNodeRedlock() {
        assertTrue(node.acquire("theirs", LONG_TTL_MS));
        Answer held = client.acquire("theirs", LONG_TTL_MS);
        assertEquals(423, held.status());
        assertTrue(held.body().path("remainingMs").asLong() > LONG_TTL_MS / 2, held.body()::toString);
        assertEquals(409, client.release("theirs", "a-token-of-nobody").status());
        assertTrue(node.release("theirs"));
        assertEquals(201, client.acquire("theirs", LONG_TTL_MS).status());
    }

    @Test
    void contendersNeverHoldSameLock() {
        try (NodeRedlock another = NodeRedlock.start(folder, masters)) {
            contend(this::byService, this::byService, by(node), by(another));
        }
        claims.checkExclusion();
        assertTrue(ofService.isEvidence() && ofNode.isEvidence(), () -> ofService + " " + ofNode);
    }

    /** Runs until each side was granted and refused enough locks, which takes longer on a busy machine. */
    private void contend(Contender... contenders) {
        ExecutorService threads = Executors.newFixedThreadPool(contenders.length);
        long start = System.nanoTime();
        BooleanSupplier goOn = () -> {
            long nanos = System.nanoTime() - start;
            boolean enough = ofService.isEvidence() && ofNode.isEvidence() && nanos > LEAST.toNanos();
            return !enough && nanos < MOST.toNanos();
        };
        CompletableFuture<?>[] all = Stream.of(contenders)
                .map(contender -> CompletableFuture.runAsync(() -> contender.lockWhile(goOn, new Random()), threads))
                .toArray(CompletableFuture[]::new);
        CompletableFuture.allOf(all).join();
        threads.shutdown();
    }

    private void byService(String resource, boolean letGo) {
        Answer lease = client.acquire(resource, TTL_MS);
        if (ofService.count(lease.status() == 201)) {
            hold(resource, lease, letGo, () -> client.release(resource, lease.token()));
        }
    }

    private Contender by(NodeRedlock program) {
        return (resource, letGo) -> {
            long sent = System.nanoTime();
            boolean granted = program.acquire(resource, TTL_MS);
            long received = System.nanoTime();
            if (ofNode.count(granted)) {
                Answer lease = new Answer(201, MissingNode.getInstance(), null, sent, received);
                hold(resource, lease, letGo, () -> program.release(resource));
            }
        };
    }

    private void hold(String resource, Answer lease, boolean letGo, Runnable release) {
        Claims.Holding claim = claims.granted(resource, lease, TTL_MS);
        client.get("/locks/" + resource); // holds the lock for a while, so that others find it held
        if (letGo) {
            claim.released();
            release.run();
        }
    }

    /** A client that tries to acquire a resource, and then releases it or lets it expire. */
    @FunctionalInterface
    private interface Contender {
        void lock(String resource, boolean letGo);

        default void lockWhile(BooleanSupplier goOn, Random random) {
            while (goOn.getAsBoolean()) {
                lock("contended-" + random.nextInt(RESOURCES), random.nextInt(50) > 0);
            }
        }
    }
}
