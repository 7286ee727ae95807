// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.consensus;

import static io.quorumlock.testing.EngineFixture.RESOURCE;
import static io.quorumlock.testing.EngineFixture.TTL;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.lock.AcquireTerms;
import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.core.loop.EngineSettings;
import io.quorumlock.testing.FakeConsensus;
import io.quorumlock.testing.FakeRecordStore;
import io.quorumlock.testing.Proves;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Busy replicas that change the same lock all the time. */
@Proves("L2")
class ContendedLockTest {
    private static final ResourceNames NAME = ResourceNames.of(RESOURCE);
    private static final int CLIENTS = 8;

    private final FakeConsensus fixture = new FakeConsensus();
    private final Random random = new Random(7);
    private final List<Acquisition> refusals = new ArrayList<>();

    @ParameterizedTest
    @CsvSource({"2, false", "3, false", "2, true", "3, true"})
    void eachReplicaGetsItsShare(int replicas, boolean told) {
        if (told) {
            fixture.store.tellConflicts();
        }
        List<FakeRecordStore.Connection> connections = new ArrayList<>();
        int[] granted = new int[replicas];
        for (int replica = 0; replica < replicas; replica++) {
            connections.add(fixture.store.connect());
            Consensus engine = replica(connections.get(replica), replica);
            for (int client = 0; client < CLIENTS; client++) {
                int number = replica;
                holdAgain(engine, new LeaseToken("token-of-holder-" + replica + client), () -> granted[number]++);
            }
        }
        for (int i = 0; i < 3_000; i++) {
            connections.forEach(one -> one.answerAfter(Duration.ofMillis(3 + random.nextInt(3))));
            fixture.pass(Duration.ofMillis(1));
        }
        assertEquals(List.of(), refusals);
        int fifth = IntStream.of(granted).sum() / 5;
        assertTrue(
                IntStream.of(granted).allMatch(count -> count > fifth),
                () -> IntStream.of(granted).boxed().toList().toString());
    }

    private Consensus replica(FakeRecordStore.Connection connection, int number) {
        EngineSettings settings = new EngineSettings(
                FakeConsensus.SETTINGS.drift(),
                FakeConsensus.SETTINGS.extensionsMax(),
                FakeConsensus.TTL_MAX,
                Duration.ofSeconds(1));
        Consensus engine = new Consensus(connection, settings, fixture.time.engineContext(10 + number), fixture.events);
        engine.start();
        fixture.pass(Duration.ZERO);
        return engine;
    }

    private void holdAgain(Consensus engine, LeaseToken token, Runnable count) {
        AcquireTerms terms =
                new AcquireTerms(TTL, Duration.ZERO, Optional.of(token), Optional.empty(), LockKind.SHARED);
        engine.acquire(NAME, terms).thenAccept(outcome -> {
            outcome.granted().ifPresentOrElse(lease -> count.run(), () -> refusals.add(outcome));
            afterAShortTime(() -> engine.release(NAME, token, Duration.ZERO)
                    .thenAccept(released -> afterAShortTime(() -> holdAgain(engine, token, count))));
        });
    }

    private void afterAShortTime(Runnable next) {
        fixture.time.after(Duration.ofMillis(random.nextInt(4)), next);
    }
}
