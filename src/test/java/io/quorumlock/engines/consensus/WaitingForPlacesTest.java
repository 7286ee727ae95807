// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.consensus;

import static io.quorumlock.testing.EngineFixture.A;
import static io.quorumlock.testing.EngineFixture.B;
import static io.quorumlock.testing.EngineFixture.OWNER;
import static io.quorumlock.testing.EngineFixture.RESOURCE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.quorumlock.core.lock.AcquireTerms;
import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.LockDirectory.ForceTerms;
import io.quorumlock.core.lock.LockEventKind;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.lock.Owner;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.features.events.LockWatch.LockEvent;
import io.quorumlock.service.waiting.WaitQueues;
import io.quorumlock.service.waiting.WaitQueues.WaitingLimits;
import io.quorumlock.testing.FakeConsensus;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The announcements of places that become free while others stay taken. */
class WaitingForPlacesTest {
    private static final Duration ROUND_TRIP = Duration.ofMillis(10);
    private static final Duration TTL = Duration.ofSeconds(60);
    private static final LeaseToken WAITER = new LeaseToken("token-of-the-waiter");
    private static final ResourceNames NAME = ResourceNames.of(RESOURCE);
    private static final LockKind SEMAPHORE = LockKind.ofSlots(2);
    private static final Optional<Owner> NOBODY = Optional.empty();

    private final FakeConsensus fixture = new FakeConsensus();

    /** The store announces nothing to a queue that begins to watch later. */
    @ParameterizedTest
    @ValueSource(ints = {-15, -10, -5, 0, 4, 5, 6, 9, 10, 11})
    void releaseNearTheFirstAttemptWakesWaiter(int millis) {
        acquire(A, NOBODY);
        acquire(B, NOBODY);
        fixture.store.answerAfter(ROUND_TRIP);
        fixture.time.after(Duration.ofMillis(15 + millis), () -> fixture.other.release(NAME, B, Duration.ZERO));
        fixture.pass(Duration.ofMillis(15));
        CompletableFuture<Acquisition> waiter = waitForPlace();
        fixture.pass(Duration.ofMillis(100));
        assertInstanceOf(Acquisition.Acquired.class, waiter.getNow(null));
    }

    @Test
    void releaseInTheWriteOfTheFirstAttemptWakesWaiter() {
        acquire(A, NOBODY);
        acquire(B, NOBODY);
        fixture.store.answerAfter(ROUND_TRIP);
        fixture.engine.extend(NAME, A, TTL);
        CompletableFuture<Acquisition> waiter = waitForPlace();
        fixture.engine.release(NAME, B, Duration.ZERO);
        fixture.pass(Duration.ofMillis(100));
        assertInstanceOf(Acquisition.Acquired.class, waiter.getNow(null));
    }

    @Test
    void forcedReleaseOfKeptPlaceWakesWaiter() {
        List<LockEvent> events = fixture.watchEvents();
        acquire(A, NOBODY);
        acquire(B, OWNER);
        fixture.await(fixture.engine.release(NAME, B, TTL));
        CompletableFuture<Acquisition> waiter = waitForPlace();
        fixture.pass(Duration.ofSeconds(7));
        fixture.await(fixture.engine.forceRelease(RESOURCE, new ForceTerms(OWNER, Optional.empty())));
        fixture.pass(Duration.ofMillis(1));
        assertInstanceOf(Acquisition.Acquired.class, waiter.getNow(null));
        assertEquals(
                List.of(LockEventKind.ACQUIRED, LockEventKind.ACQUIRED, LockEventKind.RELEASED, LockEventKind.ACQUIRED),
                kinds(events));
    }

    /** One read shows who holds it, and the watch shows its release. */
    @Test
    void waitsForPlainLockWithOneRead() {
        AcquireTerms plain = new AcquireTerms(TTL, Duration.ZERO, Optional.of(A), NOBODY, LockKind.EXCLUSIVE);
        fixture.await(fixture.engine.acquire(NAME, plain));
        fixture.pass(Duration.ofSeconds(1));
        int before = fixture.connection.calls();
        CompletableFuture<Acquisition> waiter = waitForPlace();
        fixture.pass(Duration.ofSeconds(5));
        assertEquals(before + 1, fixture.connection.calls());
        fixture.await(fixture.engine.release(NAME, A, Duration.ZERO));
        fixture.pass(Duration.ofMillis(100));
        assertInstanceOf(Acquisition.Acquired.class, waiter.getNow(null));
    }

    /** Their fencing tokens are equal. */
    @Test
    void announcesEachHolderOfOneWrite() {
        List<LockEvent> events = fixture.watchEvents();
        fixture.store.answerAfter(ROUND_TRIP);
        fixture.engine.release(NAME, WAITER, Duration.ZERO);
        fixture.engine.acquire(NAME, terms(A, Duration.ZERO, NOBODY));
        fixture.engine.acquire(NAME, terms(B, Duration.ZERO, NOBODY));
        fixture.pass(Duration.ofSeconds(1));
        fixture.await(fixture.engine.release(NAME, A, Duration.ZERO));
        fixture.await(fixture.engine.extend(NAME, B, TTL));
        fixture.pass(TTL);
        assertEquals(events.get(0).fence(), events.get(1).fence());
        assertEquals(
                List.of(
                        LockEventKind.ACQUIRED,
                        LockEventKind.ACQUIRED,
                        LockEventKind.RELEASED,
                        LockEventKind.EXTENDED,
                        LockEventKind.EXPIRED),
                kinds(events));
    }

    private static List<LockEventKind> kinds(List<LockEvent> events) {
        return events.stream().map(LockEvent::kind).toList();
    }

    private void acquire(LeaseToken token, Optional<Owner> owner) {
        Acquisition acquired = fixture.await(fixture.engine.acquire(NAME, terms(token, Duration.ZERO, owner)));
        assertInstanceOf(Acquisition.Acquired.class, acquired);
    }

    private CompletableFuture<Acquisition> waitForPlace() {
        WaitQueues queues = new WaitQueues(
                fixture.engine,
                1,
                0.01,
                fixture.engine.signal(),
                new WaitingLimits(10, 10),
                fixture.time.engineContext(5),
                fixture.events);
        CompletableFuture<Acquisition> waiter = queues.acquire(NAME, terms(WAITER, Duration.ofSeconds(50), NOBODY));
        fixture.pass(Duration.ZERO);
        return waiter;
    }

    private static AcquireTerms terms(LeaseToken token, Duration patience, Optional<Owner> owner) {
        return new AcquireTerms(TTL, patience, Optional.of(token), owner, SEMAPHORE);
    }
}
