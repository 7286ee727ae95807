// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.consensus;

import static io.quorumlock.testing.EngineFixture.RESOURCE;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.lock.AcquireTerms;
import io.quorumlock.core.lock.Acquisition;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A client that waits on one replica of a store, while three writers always want the lock on another one. */
class ReaderTurnTest {
    private static final ResourceNames NAME = ResourceNames.of(RESOURCE);
    private static final Duration TTL = Duration.ofSeconds(10);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final FakeConsensus fixture = new FakeConsensus();
    private final List<WaitQueues> replicas = new ArrayList<>();
    private int grants;

    ReaderTurnTest() {
        for (int i = 0; i < 2; i++) {
            FakeRecordStore.Connection connection = fixture.store.connect();
            connection.answerAfter(Duration.ofMillis(1 + i));
            replicas.add(fixture.waitQueues(connection, 10 + i));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"exclusive", "shared"})
    void isServed(String mode) {
        LockKind kind = mode.equals("shared") ? LockKind.SHARED : LockKind.EXCLUSIVE;
        for (int i = 0; i < 3; i++) {
            write();
        }
        fixture.time.pass(Duration.ofMillis(200));
        MonotonicTime began = fixture.time.now();
        int before = grants;
        CompletableFuture<Acquisition> waiter = acquire(1, kind);
        while (!waiter.isDone()) {
            fixture.time.pass(Duration.ofMillis(1));
        }
        Duration waited = fixture.time.now().since(began);
        assertTrue(
                waited.compareTo(Duration.ofSeconds(1)) < 0, waited + ", " + (grants - before) + " grants of writers");
    }

    private void write() {
        acquire(0, LockKind.EXCLUSIVE).thenAccept(outcome -> {
            grants++;
            fixture.time.after(Duration.ofMillis(10), () -> replicas.get(0)
                    .release(NAME, outcome.granted().orElseThrow().token(), Duration.ZERO)
                    .thenRun(() -> fixture.time.after(Duration.ofMillis(1), this::write)));
        });
    }

    private CompletableFuture<Acquisition> acquire(int replica, LockKind kind) {
        return replicas.get(replica)
                .acquire(NAME, new AcquireTerms(TTL, PATIENCE, Optional.empty(), Optional.empty(), kind));
    }
}
