// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.consensus;

import static io.quorumlock.testing.EngineFixture.A;
import static io.quorumlock.testing.EngineFixture.B;
import static io.quorumlock.testing.EngineFixture.TTL;
import static io.quorumlock.testing.EngineFixture.terms;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.lock.AcquireTerms;
import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.Extension;
import io.quorumlock.core.lock.Inspection;
import io.quorumlock.core.lock.LockDirectory.ForceTerms;
import io.quorumlock.core.lock.LockEventKind;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.lock.Release;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.features.events.LockWatch.LockEvent;
import io.quorumlock.service.waiting.WaitQueues;
import io.quorumlock.service.waiting.WaitQueues.WaitingLimits;
import io.quorumlock.testing.FakeConsensus;
import io.quorumlock.testing.FakeRecordStore.Fault;
import io.quorumlock.testing.Proves;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Leases of several records, and records that are kept, with contention and lost replies. */
@Proves("A")
class SeveralRecordsTest {
    private static final Duration ROUND_TRIP = Duration.ofMillis(10);
    private static final Duration CLEANED = Duration.ofSeconds(2);
    private static final Duration KEEP = Duration.ofSeconds(3);
    private static final ResourceName ONE = new ResourceName("accounts/1");
    private static final ResourceName TWO = new ResourceName("accounts/2");
    private static final ResourceName THREE = new ResourceName("accounts/3");
    private static final ResourceNames BOTH = new ResourceNames(List.of(ONE, TWO));
    private static final AcquireTerms WAITING =
            new AcquireTerms(TTL, Duration.ofSeconds(30), Optional.of(B), Optional.empty(), LockKind.EXCLUSIVE);

    private final FakeConsensus fixture = new FakeConsensus();

    @Test
    void cycleIsTwoCalls() {
        fixture.await(fixture.engine.acquire(BOTH, terms(A)));
        assertInstanceOf(Release.Released.class, release(Duration.ZERO));
        assertEquals(2, fixture.connection.calls());
    }

    @Test
    void onlyOneOfTwoOverlappingSetsWins() {
        fixture.store.answerAfter(ROUND_TRIP);
        ResourceNames overlapping = new ResourceNames(List.of(TWO, THREE));
        CompletableFuture<Acquisition> a = fixture.engine.acquire(BOTH, terms(A));
        CompletableFuture<Acquisition> b = fixture.other.acquire(overlapping, terms(B));
        assertInstanceOf(Acquisition.Acquired.class, fixture.await(a));
        assertInstanceOf(Acquisition.Held.class, fixture.await(b));
        assertEquals(2, fixture.store.size());
    }

    @Test
    void overlappingCallsOfOneClientGetOneLease() {
        fixture.store.answerAfter(ROUND_TRIP);
        CompletableFuture<Acquisition> first = fixture.engine.acquire(BOTH, terms(A));
        CompletableFuture<Acquisition> again = fixture.other.acquire(BOTH, terms(A));
        assertInstanceOf(Acquisition.Acquired.class, fixture.await(first));
        assertInstanceOf(Acquisition.Replayed.class, fixture.await(again));
    }

    /** A replica has seen one of the records for the whole lease, and the other one only now. */
    @Test
    void leaseOfOwnTokenIsOverIfOneRecordIs() {
        fixture.await(fixture.engine.acquire(BOTH, terms(A)));
        Consensus late = fixture.replica(fixture.store.connect(), fixture.time.engineContext(3));
        fixture.await(late.inspect(ONE));
        fixture.pass(TTL);
        assertInstanceOf(Acquisition.Acquired.class, fixture.await(late.acquire(BOTH, terms(A))));
    }

    /** Several records are read one by one. The lease begins between two such reads. */
    @Test
    void losesNoLeaseThatBeginsMeanwhile() {
        fixture.connection.answerAfter(ROUND_TRIP);
        CompletableFuture<Extension> early = fixture.engine.extend(BOTH, A, TTL);
        fixture.pass(ROUND_TRIP.plusMillis(1));
        fixture.other.acquire(BOTH, terms(A));
        assertInstanceOf(Extension.Extended.class, fixture.await(early));
        fixture.pass(CLEANED);
        assertEquals(2, fixture.store.size());
    }

    /** R5 */
    @ParameterizedTest
    @EnumSource(
            value = Fault.class,
            names = {"MUTE", "SILENT", "LATE"})
    void deletesAllRecordsOfAcquireWithoutReply(Fault fault) {
        fixture.connection.setFault(fault);
        assertInstanceOf(Acquisition.NoQuorum.class, fixture.await(fixture.engine.acquire(BOTH, terms(A))));
        fixture.connection.setFault(Fault.NONE);
        fixture.pass(CLEANED);
        assertEquals(0, fixture.store.size());
        assertEquals(0, fixture.engine.cleanUpsPending());
    }

    @ParameterizedTest
    @EnumSource(
            value = Fault.class,
            names = {"DOWN", "MUTE", "SILENT", "LATE"})
    void repeatsReleaseThatKeepsInTheBackground(Fault fault) {
        fixture.await(fixture.engine.acquire(BOTH, terms(A)));
        fixture.connection.setFault(fault);
        assertInstanceOf(Release.Unconfirmed.class, release(KEEP));
        fixture.connection.setFault(Fault.NONE);
        fixture.pass(CLEANED);
        assertEquals(0, fixture.engine.cleanUpsPending());
        BOTH.list().forEach(name -> assertTrue(held(name).first().kept()));
        fixture.pass(KEEP);
        assertInstanceOf(Acquisition.Acquired.class, fixture.await(fixture.other.acquire(BOTH, terms(B))));
    }

    /** R6: the client acquires the set again with the same token, before the rest of the lost lease is deleted. */
    @Test
    void deletesOnlyRestOfLostLease() {
        fixture.await(fixture.engine.acquire(BOTH, terms(A)));
        fixture.await(fixture.other.forceRelease(ONE, ForceTerms.ALL));
        fixture.connection.answerAfter(ROUND_TRIP);
        assertInstanceOf(Extension.Lost.class, fixture.await(fixture.engine.extend(BOTH, A, TTL)));
        fixture.await(fixture.other.forceRelease(TWO, ForceTerms.ALL));
        fixture.await(fixture.other.acquire(BOTH, terms(A)));
        fixture.pass(CLEANED);
        assertEquals(2, fixture.store.size());
    }

    @Test
    void waiterForSetTriesAllAgainAfterEachRelease() {
        fixture.await(fixture.engine.acquire(ONE, terms(A)));
        fixture.await(fixture.engine.acquire(TWO, terms(A)));
        CompletableFuture<Acquisition> waiter = waitQueues().acquire(BOTH, WAITING);
        fixture.pass(Duration.ofMillis(100));
        fixture.await(fixture.engine.release(ONE, A));
        fixture.pass(Duration.ofMillis(100));
        assertFalse(waiter.isDone());
        assertInstanceOf(Inspection.Free.class, fixture.await(fixture.engine.inspect(ONE)));
        fixture.await(fixture.engine.release(TWO, A));
        fixture.pass(Duration.ofMillis(1));
        assertInstanceOf(Acquisition.Acquired.class, waiter.getNow(null));
    }

    @Test
    void waiterGetsKeptLockAtItsEnd() {
        fixture.await(fixture.engine.acquire(BOTH, terms(A)));
        CompletableFuture<Acquisition> waiter = waitQueues().acquire(TWO, WAITING);
        fixture.pass(Duration.ofMillis(100));
        release(KEEP);
        fixture.pass(KEEP.minusMillis(10));
        assertFalse(waiter.isDone());
        fixture.pass(Duration.ofMillis(20));
        assertInstanceOf(Acquisition.Acquired.class, waiter.getNow(null));
    }

    @Test
    void announcesHowLongReleasedLockIsKept() {
        List<LockEvent> events = fixture.watchEvents();
        fixture.await(fixture.engine.acquire(ONE, terms(A)));
        fixture.await(fixture.engine.release(ResourceNames.of(ONE), A, KEEP));
        fixture.pass(Duration.ofMillis(1));
        assertEquals(LockEventKind.RELEASED, events.get(1).kind());
        assertEquals(KEEP, events.get(1).left());
    }

    private Release release(Duration keep) {
        return fixture.await(fixture.engine.release(BOTH, A, keep));
    }

    private Inspection.Held held(ResourceName name) {
        return assertInstanceOf(Inspection.Held.class, fixture.await(fixture.engine.inspect(name)));
    }

    private WaitQueues waitQueues() {
        return new WaitQueues(
                fixture.other,
                1,
                0.01,
                fixture.other.signal(),
                new WaitingLimits(10, 10),
                fixture.time.engineContext(5),
                fixture.events);
    }
}
