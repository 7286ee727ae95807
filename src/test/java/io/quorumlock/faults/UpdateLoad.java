// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.testing.Claims;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.LockClient.Answer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * Clients that acquire, extend and release locks, each call on a random replica, until they are stopped. How long a phase
 * of the load takes depends on the machine, but not what it contains.
 */
final class UpdateLoad implements AutoCloseable {
    private static final int CLIENTS = 8;
    private static final int RESOURCES = 20;
    private static final int TTL_MS = 1_000;
    private static final int WAIT_MS = 100;
    /** A limit for a phase that only a hang exceeds. */
    private static final Duration HANG = Duration.ofMinutes(2);

    /** What happens at least in each phase. */
    private static final Counts ENOUGH = new Counts(200, 10, 100, 0);

    private static final Counts ENOUGH_ON_BOTH = new Counts(200, 10, 100, 10);

    private final List<UpdatedReplica> replicas;
    private final Claims claims = new Claims();
    private final AtomicInteger refused = new AtomicInteger();
    private final AtomicInteger released = new AtomicInteger();
    private final AtomicInteger carriedOver = new AtomicInteger();
    private final ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
    private final CompletableFuture<?> clients;
    private volatile boolean stopped;

    /**
     * What has happened so far.
     *
     * @param refused acquires that met another holder
     * @param carriedOver leases that one version granted and the other one extended or released
     */
    record Counts(int leases, int refused, int released, int carriedOver) {
        boolean include(Counts before, Counts more) {
            return leases - before.leases >= more.leases
                    && refused - before.refused >= more.refused
                    && released - before.released >= more.released
                    && carriedOver - before.carriedOver >= more.carriedOver;
        }
    }

    /** Starts the clients. */
    UpdateLoad(List<UpdatedReplica> replicas) {
        this.replicas = replicas;
        clients = CompletableFuture.allOf(IntStream.range(0, CLIENTS)
                .mapToObj(i -> CompletableFuture.runAsync(() -> run(new Random(i)), threads))
                .toArray(CompletableFuture[]::new));
    }

    /** Lets the clients work until enough happened, with contention. Fails at once if a client failed. */
    void untilEnough() {
        until(ENOUGH);
    }

    /** Like {@link #untilEnough()}, while the replicas have different versions. */
    void untilEnoughOnBothVersions() {
        until(ENOUGH_ON_BOTH);
    }

    private void until(Counts enough) {
        Counts before = counts();
        Eventually.within(HANG, () -> enough + " after " + before + ": " + counts(), () -> {
            // A client ends only if it failed. The others end then, too.
            if (stopped) {
                clients.join();
            }
            return counts().include(before, enough);
        });
    }

    /** Stops the clients and checks all leases (S1, S3). */
    void check() {
        stopped = true;
        clients.join();
        claims.check();
    }

    Counts counts() {
        return new Counts(claims.count(), refused.get(), released.get(), carriedOver.get());
    }

    private void run(Random random) {
        try {
            while (!stopped) {
                lock(random);
            }
        } finally {
            stopped = true;
        }
    }

    private void lock(Random random) {
        String resource = "updated/" + random.nextInt(RESOURCES);
        UpdatedReplica grantor = draw(random);
        Path jar = grantor.jar();
        int waitMs = random.nextInt(4) == 0 ? WAIT_MS : 0;
        Optional<Answer> lease = grantor.send(client -> client.acquire(resource, TTL_MS, waitMs));
        if (lease.isEmpty() || lease.get().status() != 201) {
            refused.addAndGet(lease.filter(answer -> answer.status() == 423).isPresent() ? 1 : 0);
            // Leaves the processor to the replica that starts.
            Pause.of(Duration.ofMillis(lease.isEmpty() ? WAIT_MS : random.nextInt(5)));
            return;
        }
        Claims.Holding claim = claims.granted(resource, lease.get(), TTL_MS);
        // Some leases expire, but no extended one, because its new TTL is as long as the test.
        if (random.nextInt(20) > 0) {
            if (random.nextInt(3) == 0) {
                extend(resource, lease.get(), draw(random), jar);
            }
            claim.released();
            release(resource, lease.get(), draw(random), jar);
        }
    }

    /** Extends the lease. A valid lease must not be reported as lost. */
    private void extend(String resource, Answer lease, UpdatedReplica replica, Path grantor) {
        boolean other = !replica.jar().equals(grantor);
        Optional<Answer> answer = replica.send(client -> client.extend(resource, lease.token()));
        answer.ifPresent(extended -> {
            boolean lost = extended.status() == 404 || extended.status() == 409;
            assertTrue(
                    !lost || extended.received() > end(lease),
                    () -> "lost: " + lease.body() + " by " + extended.body() + "\n" + replica.output());
            carriedOver.addAndGet(other && extended.status() == 200 ? 1 : 0);
        });
    }

    private void release(String resource, Answer lease, UpdatedReplica replica, Path grantor) {
        boolean other = !replica.jar().equals(grantor);
        replica.send(client -> client.release(resource, lease.token()))
                .filter(answer -> answer.status() == 204)
                .ifPresent(done -> {
                    released.incrementAndGet();
                    carriedOver.addAndGet(other ? 1 : 0);
                });
    }

    private static long end(Answer lease) {
        Duration ttl = Duration.ofMillis(TTL_MS);
        return lease.sent() + ttl.minus(Setup.DRIFT.of(ttl)).toNanos();
    }

    private UpdatedReplica draw(Random random) {
        return replicas.get(random.nextInt(replicas.size()));
    }

    @Override
    public void close() {
        stopped = true;
        threads.shutdown();
    }
}
