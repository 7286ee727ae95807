// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.consensus;

import static io.quorumlock.testing.EngineFixture.RESOURCE;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.lock.AcquireTerms;
import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.Lease;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.core.loop.MonotonicTime;
import io.quorumlock.service.waiting.WaitQueues;
import io.quorumlock.testing.FakeConsensus;
import io.quorumlock.testing.FakeRecordStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A writer that lets another replica go first, on which nobody waits, while one reader comes and goes there. */
class PostponedTurnOnStoreTest {
    private static final Duration TTL = Duration.ofSeconds(10);
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final FakeConsensus fixture = new FakeConsensus();
    private final List<WaitQueues> replicas = new ArrayList<>();
    private int reads;

    PostponedTurnOnStoreTest() {
        for (int i = 0; i < 2; i++) {
            FakeRecordStore.Connection connection = fixture.store.connect();
            connection.answerAfter(Duration.ofNanos(500_000));
            replicas.add(fixture.waitQueues(connection, 10 + i));
        }
    }

    @Test
    void writerIsServedThoughOneReaderComesAndGoes() {
        Lease first =
                acquire(1, LockKind.EXCLUSIVE, Duration.ZERO).join().granted().orElseThrow();
        CompletableFuture<Acquisition> before = acquire(0, LockKind.EXCLUSIVE, PATIENCE);
        CompletableFuture<Acquisition> writer = acquire(0, LockKind.EXCLUSIVE, PATIENCE);
        fixture.pass(Duration.ofMillis(100));
        replicas.get(1).release(ResourceNames.of(RESOURCE), first.token(), Duration.ZERO);
        fixture.pass(Duration.ofMillis(20));
        Lease own = before.getNow(null).granted().orElseThrow();
        fixture.pass(Duration.ofMillis(100));
        replicas.get(0)
                .release(ResourceNames.of(RESOURCE), own.token(), Duration.ZERO)
                .thenRun(() -> fixture.time.after(Duration.ofMillis(1), () -> read(1)));
        MonotonicTime began = fixture.time.now();
        while (!writer.isDone() && fixture.time.now().since(began).compareTo(Duration.ofSeconds(21)) < 0) {
            fixture.time.pass(Duration.ofMillis(1));
        }
        Duration waited = fixture.time.now().since(began);
        assertTrue(waited.compareTo(Duration.ofMillis(300)) < 0, waited + ", reads " + reads);
    }

    /** Reads for a millisecond, again and again. */
    private void read(int replica) {
        if (reads > 30_000) {
            return;
        }
        acquire(replica, LockKind.SHARED, PATIENCE)
                .thenAccept(outcome -> outcome.granted().ifPresent(lease -> {
                    reads++;
                    fixture.time.after(Duration.ofMillis(1), () -> replicas.get(replica)
                            .release(ResourceNames.of(RESOURCE), lease.token(), Duration.ZERO)
                            .thenRun(() -> read(replica)));
                }));
    }

    private CompletableFuture<Acquisition> acquire(int replica, LockKind kind, Duration patience) {
        CompletableFuture<Acquisition> outcome = replicas.get(replica)
                .acquire(
                        ResourceNames.of(RESOURCE),
                        new AcquireTerms(TTL, patience, Optional.empty(), Optional.empty(), kind));
        if (patience.isZero()) {
            fixture.time.pass(Duration.ofMillis(10));
        }
        return outcome;
    }
}
