// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.consensus;

import static io.quorumlock.testing.EngineFixture.RESOURCE;
import static io.quorumlock.testing.EngineFixture.TTL;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.lock.AcquireTerms;
import io.quorumlock.core.lock.Lease;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.service.waiting.WaitQueues;
import io.quorumlock.testing.FakeConsensus;
import io.quorumlock.testing.FakeRecordStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that wait for one lock of a store on several replicas, some of which are farther away from the store. */
@Execution(ExecutionMode.CONCURRENT)
class ReplicaTurnsTest {
    private static final ResourceNames NAME = ResourceNames.of(RESOURCE);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration RUN = Duration.ofSeconds(10);
    private static final int CLIENTS = 5;
    /** The difference of the round-trip times of two replicas. */
    private static final Duration FARTHER = Duration.ofMillis(4);

    private final FakeConsensus fixture = new FakeConsensus();
    private final Random random = new Random(7);
    private int[] granted;
    /** Of the last grant: the number of writes. */
    private long revision;

    /**
     * Each grant needs two writes. A replica that waits adds one if it is refused: rarely if the lock is held for a shorter
     * time than it lets others go first, and once for each grant if the lock is held for long.
     */
    @ParameterizedTest
    @CsvSource({"2, 0, 2.5", "2, 10, 2.5", "2, 500, 3", "3, 10, 2.5", "3, 500, 4"})
    void eachReplicaGetsItsShare(int replicas, int heldMillis, double mostWrites) {
        contend(replicas, Duration.ofMillis(heldMillis), own -> own);
        assertShares(replicas, mostWrites);
    }

    /** Behind a load balancer, a release rarely arrives at the replica of the holder. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void eachReplicaGetsItsShareIfReleasesArriveAtAny(boolean told) {
        if (told) {
            fixture.store.tellConflicts();
        }
        contend(3, Duration.ofMillis(10), own -> random.nextInt(3));
        assertShares(3, 2.5);
    }

    /** But a few notes of its uptime, in the first minute. */
    @Test
    void oneReplicaWritesNothingMore() {
        contend(1, Duration.ofMillis(10), own -> own);
        assertShares(1, 2.01);
    }

    private void assertShares(int replicas, double mostWrites) {
        int all = IntStream.of(granted).sum();
        String result = "%s, %.2f writes for each grant".formatted(Arrays.toString(granted), revision / (double) all);
        assertTrue(IntStream.of(granted).allMatch(count -> count >= all / replicas / 2), result);
        assertTrue(revision <= all * mostWrites, result);
    }

    private void contend(int replicas, Duration held, IntUnaryOperator releasedThrough) {
        granted = new int[replicas];
        List<WaitQueues> queues = new ArrayList<>();
        for (int i = 0; i < replicas; i++) {
            FakeRecordStore.Connection connection = fixture.store.connect();
            varyLatency(
                    connection,
                    Duration.ofMillis(1).plus(FARTHER.multipliedBy(i)).toNanos());
            queues.add(fixture.waitQueues(connection, 10 + i));
        }
        for (int i = 0; i < replicas * CLIENTS; i++) {
            int own = i % replicas;
            later(() -> hold(queues, own, held, releasedThrough));
        }
        fixture.pass(RUN);
    }

    private void hold(List<WaitQueues> queues, int own, Duration held, IntUnaryOperator releasedThrough) {
        AcquireTerms terms = new AcquireTerms(TTL, PATIENCE, Optional.empty(), Optional.empty(), LockKind.EXCLUSIVE);
        queues.get(own).acquire(NAME, terms).thenAccept(outcome -> {
            Lease lease = outcome.granted().orElseThrow();
            granted[own]++;
            revision = lease.fence().number();
            WaitQueues releaser = queues.get(releasedThrough.applyAsInt(own));
            fixture.time.after(held, () -> releaser.release(NAME, lease.token(), Duration.ZERO)
                    .thenAccept(released -> later(() -> hold(queues, own, held, releasedThrough))));
        });
    }

    private void varyLatency(FakeRecordStore.Connection connection, long nanos) {
        connection.answerAfter(Duration.ofNanos(nanos + random.nextInt(1_000_000)));
        fixture.time.after(Duration.ofMillis(1), () -> varyLatency(connection, nanos));
    }

    private void later(Runnable next) {
        fixture.time.after(Duration.ofNanos(random.nextInt(2_000_000)), next);
    }
}
