// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.consensus;

import static io.quorumlock.testing.EngineFixture.A;
import static io.quorumlock.testing.EngineFixture.B;
import static io.quorumlock.testing.EngineFixture.RESOURCE;
import static io.quorumlock.testing.EngineFixture.TTL;
import static io.quorumlock.testing.EngineFixture.token;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.lock.AcquireTerms;
import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.Announcements;
import io.quorumlock.core.lock.Extension;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.lock.NoQuorumReason.Effect;
import io.quorumlock.core.lock.Release;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.core.loop.EngineContext;
import io.quorumlock.core.loop.MonotonicTime;
import io.quorumlock.engines.consensus.Operation.Conclusion;
import io.quorumlock.testing.EngineFixture;
import io.quorumlock.testing.FakeConsensus;
import io.quorumlock.testing.FakeRecordStore;
import io.quorumlock.testing.FakeRecordStore.Fault;
import io.quorumlock.testing.Proves;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.FieldSource;

/** Operations of one replica that wait for the same lock. */
@Proves("R15")
class OperationQueuesTest {
    private static final Duration ROUND_TRIP = Duration.ofMillis(10);
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final ResourceNames ONE = ResourceNames.of(RESOURCE);
    private static final ResourceNames TWO = new ResourceNames(List.of(RESOURCE, new ResourceName("other")));

    static final List<LockKind> HOLDERS = List.of(LockKind.EXCLUSIVE, LockKind.SHARED);

    private final FakeConsensus fixture = new FakeConsensus();

    /** The writer asks before the end of the reader, and leaves its mark after it. */
    @Test
    void writerIsRefusedForTheReaderThatEndsMeanwhile() {
        fixture.await(fixture.other.acquire(ONE, shared(A, TTL)));
        fixture.store.answerAfter(ROUND_TRIP);
        fixture.pass(TTL.minusMillis(5));
        assertInstanceOf(
                Acquisition.Held.class, fixture.await(fixture.engine.acquire(ONE, EngineFixture.waitingWriter(B))));
    }

    /** R15: a client that waits leaves a hint or a mark, which its answer does not need. */
    @ParameterizedTest
    @FieldSource("HOLDERS")
    void answersWaitersAndReleasesOfAFullStore(LockKind holder) {
        fixture.await(fixture.other.acquire(ONE, terms(holder, A, TTL)));
        fixture.store.fill();
        CompletableFuture<Acquisition> first = fixture.engine.acquire(ONE, EngineFixture.waitingWriter(B));
        CompletableFuture<Acquisition> next = fixture.engine.acquire(ONE, EngineFixture.waitingWriter(token(1)));
        CompletableFuture<Release> released = fixture.engine.release(ONE, A, Duration.ZERO);
        assertInstanceOf(Acquisition.Held.class, fixture.await(first));
        assertInstanceOf(Acquisition.Held.class, fixture.await(next));
        assertInstanceOf(Release.Released.class, fixture.await(released));
        assertInstanceOf(Acquisition.NoQuorum.class, fixture.await(fixture.engine.acquire(ONE, shared(B, TTL))));
    }

    /** Other replicas count from their first sight of the write, and this one from before it. */
    @Test
    void repeatWithoutTimeLeftGetsNoLease() {
        Duration roundTrip = Duration.ofMillis(40);
        fixture.store.answerAfter(roundTrip);
        fixture.await(fixture.engine.acquire(ONE, shared(A, TTL)));
        fixture.pass(TTL.minus(roundTrip).minusMillis(10));
        fixture.engine.acquire(ONE, shared(token(1), TTL));
        CompletableFuture<Acquisition> repeated = fixture.engine.acquire(ONE, shared(A, TTL));
        CompletableFuture<Acquisition> next = fixture.engine.acquire(ONE, shared(token(2), TTL));
        assertEquals(new Acquisition.NoQuorum(StoreVotes.lateAnswer()), fixture.await(repeated));
        assertInstanceOf(Acquisition.Acquired.class, fixture.await(next));
    }

    /** Operations on several locks are not written together. */
    @ParameterizedTest
    @EnumSource(
            value = Fault.class,
            names = {"DOWN", "SILENT"})
    void longQueueIsAnsweredAfterLossOfTheStore(Fault fault) {
        fixture.connection.answerAfter(ROUND_TRIP);
        List<CompletableFuture<Acquisition>> calls = IntStream.range(0, 2_500)
                .mapToObj(i -> fixture.engine.acquire(TWO, terms(LockKind.EXCLUSIVE, token(i), TTL)))
                .toList();
        fixture.pass(Duration.ofMillis(1));
        fixture.connection.setFault(fault);
        fixture.pass(FakeConsensus.STORE_TIMEOUT.multipliedBy(3));
        fixture.connection.setFault(Fault.NONE);
        calls.forEach(call -> assertInstanceOf(Acquisition.class, fixture.await(call)));
        fixture.pass(TTL);
        assertInstanceOf(Acquisition.Acquired.class, fixture.await(fixture.engine.acquire(ONE, shared(A, TTL))));
    }

    @Test
    void cleanUpsOfALockDoNotBlockIt() {
        List<CompletableFuture<Acquisition>> readers = IntStream.range(0, 100)
                .mapToObj(i -> fixture.engine.acquire(ONE, shared(token(i), LONG)))
                .toList();
        readers.forEach(fixture::await);
        fixture.connection.setFault(Fault.DOWN);
        IntStream.range(0, 100).forEach(i -> fixture.engine.release(ONE, token(i), Duration.ZERO));
        fixture.pass(Duration.ofSeconds(2));
        assertEquals(100, fixture.engine.cleanUpsPending());
        fixture.store.answerAfter(ROUND_TRIP);
        fixture.connection.setFault(Fault.NONE);
        for (int i = 0; i < 20; i++) {
            Acquisition acquired = fixture.await(fixture.engine.acquire(ONE, shared(token(200 + i), LONG)));
            assertInstanceOf(Acquisition.Acquired.class, acquired);
            fixture.pass(ROUND_TRIP.multipliedBy(5));
        }
        assertEquals(0, fixture.engine.cleanUpsPending());
    }

    /** The write of the group succeeds. */
    @Test
    void bugInOneOperationEndsNoOther() {
        FakeRecordStore.Connection connection = fixture.store.connect();
        connection.answerAfter(ROUND_TRIP);
        EngineContext engineContext = fixture.time.engineContext(9);
        OperationQueues queues = new OperationQueues(
                new Records(connection, FakeConsensus.TTL_MAX, fixture.time),
                FakeConsensus.STORE_TIMEOUT,
                engineContext);
        queues.run(acquire(0));
        CompletableFuture<?> brokenRule = queues.run(new Broken(true));
        CompletableFuture<?> brokenOutcome = queues.run(new Broken(false));
        CompletableFuture<Conclusion<Acquisition>> next = queues.run(acquire(1));
        assertInstanceOf(Acquisition.Acquired.class, fixture.await(next).outcome());
        assertTrue(brokenRule.isCompletedExceptionally());
        assertTrue(brokenOutcome.isCompletedExceptionally());
    }

    private static Acquire acquire(int number) {
        return new Acquire(
                ONE,
                token(number),
                shared(token(number), TTL),
                "replica",
                "write" + number,
                Instant.EPOCH,
                FakeConsensus.SETTINGS);
    }

    private record Broken(boolean rule) implements Operation<Acquisition> {
        @Override
        public ResourceNames resources() {
            return ONE;
        }

        @Override
        public Set<LeaseToken> tokens() {
            return Set.of();
        }

        @Override
        public Step<Acquisition> decide(Snapshot seen) {
            if (rule) {
                throw new IllegalStateException("bug");
            }
            return Step.write(seen);
        }

        @Override
        public Conclusion<Acquisition> written(Snapshot after, Duration elapsed) {
            throw new IllegalStateException("bug");
        }

        @Override
        public Conclusion<Acquisition> failed(Effect effect) {
            throw new IllegalStateException("bug");
        }
    }

    @Test
    void bugInListenerEndsNoOperation() {
        MonotonicTime begun = fixture.time.now();
        fixture.engine.announcements().listen(new Announcements.Listener() {
            @Override
            public Optional<MonotonicTime> wantedSince(ResourceName resource) {
                return Optional.of(begun);
            }

            @Override
            public void subscribed(int master) {
                // The watch has begun.
            }

            @Override
            public void subscriptionLost(int master, MonotonicTime since) {
                throw new AssertionError("no fault");
            }

            @Override
            public void announced(int master, Announcements.Announcement announcement) {
                throw new IllegalStateException("bug");
            }
        });
        for (int i = 0; i < 2; i++) {
            Acquisition acquired = fixture.await(fixture.engine.acquire(ONE, terms(LockKind.EXCLUSIVE, A, TTL)));
            assertInstanceOf(Acquisition.Acquired.class, acquired);
            assertEquals(new Release.Released(), fixture.await(fixture.engine.release(ONE, A, Duration.ZERO)));
        }
    }

    /** Each of them finds its outcome in what was written. */
    @Test
    void doesNotWriteOperationsOfOneTokenTogether() {
        fixture.await(fixture.engine.acquire(ONE, shared(A, TTL)));
        fixture.store.answerAfter(ROUND_TRIP);
        fixture.engine.acquire(ONE, shared(B, TTL));
        CompletableFuture<Extension> extended = fixture.engine.extend(ONE, A, TTL);
        CompletableFuture<Release> released = fixture.engine.release(ONE, A, Duration.ZERO);
        assertInstanceOf(Extension.Extended.class, fixture.await(extended));
        assertEquals(new Release.Released(), fixture.await(released));
    }

    /** Only conflicts show that another replica is busy. */
    @Test
    void doesNotPauseAfterTheReadOfALockOfAnotherReplica() {
        fixture.await(fixture.other.acquire(ONE, terms(LockKind.EXCLUSIVE, A, TTL)));
        fixture.store.answerAfter(ROUND_TRIP);
        fixture.await(fixture.engine.release(ONE, A, Duration.ZERO));
        MonotonicTime released = fixture.time.now();
        Acquisition next = fixture.await(fixture.engine.acquire(ONE, terms(LockKind.EXCLUSIVE, B, TTL)));
        assertInstanceOf(Acquisition.Acquired.class, next);
        assertEquals(ROUND_TRIP, fixture.time.now().since(released));
    }

    private static AcquireTerms shared(LeaseToken token, Duration ttl) {
        return terms(LockKind.SHARED, token, ttl);
    }

    private static AcquireTerms terms(LockKind kind, LeaseToken token, Duration ttl) {
        return new AcquireTerms(ttl, Duration.ZERO, Optional.of(token), Optional.empty(), kind);
    }
}
