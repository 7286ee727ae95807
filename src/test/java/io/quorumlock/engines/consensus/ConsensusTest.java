// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.consensus;

import static io.quorumlock.testing.EngineFixture.A;
import static io.quorumlock.testing.EngineFixture.B;
import static io.quorumlock.testing.EngineFixture.EXTENSIONS_MAX;
import static io.quorumlock.testing.EngineFixture.RESOURCE;
import static io.quorumlock.testing.EngineFixture.TTL;
import static io.quorumlock.testing.EngineFixture.terms;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.lock.AcquireTerms;
import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.Extension;
import io.quorumlock.core.lock.FencingToken;
import io.quorumlock.core.lock.ForcedRelease;
import io.quorumlock.core.lock.Lease;
import io.quorumlock.core.lock.Listing;
import io.quorumlock.core.lock.LockDirectory.ForceTerms;
import io.quorumlock.core.lock.LockDirectory.PageTerms;
import io.quorumlock.core.lock.LockEventKind;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.lock.Release;
import io.quorumlock.core.lock.Release.Holder;
import io.quorumlock.core.lock.ResourcePrefix;
import io.quorumlock.core.loop.EngineSettings;
import io.quorumlock.core.loop.MonotonicTime;
import io.quorumlock.features.events.LockWatch.LockEvent;
import io.quorumlock.service.waiting.WaitQueues;
import io.quorumlock.service.waiting.WaitQueues.WaitingLimits;
import io.quorumlock.testing.FakeConsensus;
import io.quorumlock.testing.FakeRecordStore.Fault;
import io.quorumlock.testing.Proves;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

@Proves({"S4", "L1"})
class ConsensusTest {
    private static final Duration ROUND_TRIP = Duration.ofMillis(10);
    private static final AcquireTerms WAITING =
            new AcquireTerms(TTL, Duration.ofSeconds(30), Optional.of(B), Optional.empty(), LockKind.EXCLUSIVE);

    private final FakeConsensus fixture = new FakeConsensus();

    @Test
    void cycleIsTwoCalls() {
        fixture.await(fixture.engine.acquire(RESOURCE, terms(A)));
        assertInstanceOf(Release.Released.class, release());
        assertEquals(2, fixture.connection.calls());
    }

    /** The report of the other replica's write arrives after the decision. */
    @Test
    void conflictNeedsNoReadIfTheStoreTellsTheRecord() {
        fixture.store.tellConflicts();
        fixture.connection.answerAfter(ROUND_TRIP);
        fixture.other.acquire(RESOURCE, terms(LockKind.SHARED, B, Optional.empty()));
        fixture.pass(Duration.ZERO);
        assertTrue(fixture.await(fixture.engine.acquire(RESOURCE, terms(LockKind.SHARED, A, Optional.empty())))
                .granted()
                .isPresent());
        assertEquals(2, fixture.connection.calls());
    }

    @Test
    void refusalNeedsNoReadIfTheStoreTellsTheRecord() {
        fixture.store.tellConflicts();
        fixture.connection.answerAfter(ROUND_TRIP);
        fixture.other.acquire(RESOURCE, terms(B));
        fixture.pass(Duration.ZERO);
        assertInstanceOf(Acquisition.Held.class, fixture.await(fixture.engine.acquire(RESOURCE, terms(A))));
        assertEquals(1, fixture.connection.calls());
    }

    @Test
    void onlyOneOfTwoContendersWins() {
        fixture.store.answerAfter(ROUND_TRIP);
        CompletableFuture<Acquisition> a = fixture.engine.acquire(RESOURCE, terms(A));
        CompletableFuture<Acquisition> b = fixture.other.acquire(RESOURCE, terms(B));
        assertInstanceOf(Acquisition.Acquired.class, fixture.await(a));
        assertInstanceOf(Acquisition.Held.class, fixture.await(b));
    }

    /** The report of the release is still on its way. */
    @Test
    void refusesNoClientByOldKnowledge() {
        fixture.await(fixture.engine.acquire(RESOURCE, terms(A)));
        fixture.connection.answerAfter(ROUND_TRIP);
        fixture.await(fixture.other.release(RESOURCE, A));
        assertInstanceOf(Acquisition.Acquired.class, fixture.await(fixture.engine.acquire(RESOURCE, terms(B))));
    }

    /** S4: this replica still knows the record of the earlier lease. */
    @Test
    void releaseByOldKnowledgeDoesNotAffectNextHolder() {
        fixture.await(fixture.engine.acquire(RESOURCE, terms(A)));
        fixture.connection.setFault(Fault.SILENT);
        fixture.await(fixture.other.release(RESOURCE, A));
        fixture.await(fixture.other.acquire(RESOURCE, terms(B)));
        fixture.connection.setFault(Fault.NONE);
        assertEquals(new Release.NotHeld(Holder.ANOTHER, Optional.empty()), release());
        assertEquals(1, fixture.store.size());
    }

    @Test
    void extendsWithoutLimitByDefault() {
        EngineSettings settings = new EngineSettings(
                FakeConsensus.SETTINGS.drift(),
                OptionalInt.empty(),
                FakeConsensus.TTL_MAX,
                FakeConsensus.STORE_TIMEOUT);
        Consensus engine =
                new Consensus(fixture.store.connect(), settings, fixture.time.engineContext(3), fixture.events);
        engine.start();
        fixture.await(engine.acquire(RESOURCE, terms(A)));
        for (int i = 0; i < 2_000; i++) {
            Extension extension = fixture.await(engine.extend(RESOURCE, A, TTL));
            Extension.Extended extended = assertInstanceOf(Extension.Extended.class, extension);
            assertEquals(OptionalInt.empty(), extended.lease().extensionsLeft());
        }
    }

    @Test
    void repeatedAcquireIsNoExtension() {
        fixture.await(fixture.engine.acquire(RESOURCE, terms(A)));
        fixture.pass(TTL.dividedBy(2));
        for (int i = 0; i <= EXTENSIONS_MAX; i++) {
            Acquisition again = fixture.await(fixture.other.acquire(RESOURCE, terms(A)));
            assertEquals(
                    OptionalInt.of(EXTENSIONS_MAX),
                    again.granted().orElseThrow().extensionsLeft());
        }
        fixture.pass(TTL.dividedBy(2));
        assertInstanceOf(Acquisition.Acquired.class, fixture.await(fixture.other.acquire(RESOURCE, terms(A))));
    }

    /** Each repeat begins when the previous one was answered. */
    @Test
    void repeatedAcquiresDoNotProlongTheLease() {
        fixture.connection.answerAfter(ROUND_TRIP);
        MonotonicTime sent = fixture.time.now();
        Acquisition last = fixture.await(fixture.engine.acquire(RESOURCE, terms(A)));
        FencingToken fence = last.granted().orElseThrow().fence();
        Duration ends = Duration.ZERO;
        while (last.granted().filter(lease -> lease.fence().equals(fence)).isPresent()) {
            Lease lease = last.granted().orElseThrow();
            ends = fixture.time.now().since(sent).plus(lease.validity());
            last = fixture.await(fixture.engine.acquire(RESOURCE, terms(A)));
        }
        assertTrue(ends.compareTo(TTL) <= 0, ends::toString);
        fixture.await(fixture.engine.release(RESOURCE, A));
    }

    @Test
    void repeatedAcquireAfterLongerExtensionReturnsNoMoreThanItsTtl() {
        fixture.await(fixture.engine.acquire(RESOURCE, terms(A)));
        fixture.await(fixture.engine.extend(RESOURCE, A, TTL.multipliedBy(2)));
        Acquisition again = fixture.await(fixture.engine.acquire(RESOURCE, terms(A)));
        assertTrue(again.granted().orElseThrow().validity().compareTo(TTL) <= 0, again::toString);
    }

    @Test
    void breaksLeaseThatIsExtendedConcurrently() {
        fixture.await(fixture.engine.acquire(RESOURCE, terms(A)));
        fixture.connection.answerAfter(ROUND_TRIP);
        CompletableFuture<ForcedRelease> forced = fixture.engine.forceRelease(RESOURCE, ForceTerms.ALL);
        fixture.pass(ROUND_TRIP);
        fixture.other.extend(RESOURCE, A, TTL);
        assertInstanceOf(ForcedRelease.Broken.class, fixture.await(forced));
        assertEquals(0, fixture.store.size());
    }

    @Test
    void doesNotBreakLeaseOfLaterHolder() {
        fixture.await(fixture.engine.acquire(RESOURCE, terms(A)));
        fixture.connection.answerAfter(ROUND_TRIP);
        CompletableFuture<ForcedRelease> forced = fixture.engine.forceRelease(RESOURCE, ForceTerms.ALL);
        fixture.pass(ROUND_TRIP);
        fixture.await(fixture.other.release(RESOURCE, A));
        fixture.await(fixture.other.acquire(RESOURCE, terms(B)));
        assertEquals(new ForcedRelease.LeftAlone(ForcedRelease.Reason.CHANGED_HANDS), fixture.await(forced));
        assertEquals(1, fixture.store.size());
    }

    /** R14 */
    @Test
    void limitsConcurrentListings() {
        fixture.await(fixture.other.acquire(RESOURCE, terms(A)));
        fixture.connection.answerAfter(ROUND_TRIP);
        PageTerms all = new PageTerms(new ResourcePrefix(""), Optional.empty(), 1);
        fixture.engine.list(all);
        fixture.engine.list(all);
        assertEquals(new Listing.Busy(2), fixture.await(fixture.engine.list(all)));
        fixture.pass(ROUND_TRIP);
        assertInstanceOf(Listing.Page.class, fixture.await(fixture.engine.list(all)));
    }

    @Test
    void releaseWakesWaiterOfAnotherReplica() {
        fixture.await(fixture.engine.acquire(RESOURCE, terms(A)));
        CompletableFuture<Acquisition> waiter = waitQueues().acquire(RESOURCE, WAITING);
        fixture.pass(Duration.ofMillis(100));
        release();
        fixture.pass(Duration.ofMillis(1));
        assertInstanceOf(Acquisition.Acquired.class, waiter.getNow(null));
    }

    /** L1 */
    @Test
    void waiterGetsLockOfVanishedHolder() {
        fixture.await(fixture.engine.acquire(RESOURCE, terms(A)));
        CompletableFuture<Acquisition> waiter = waitQueues().acquire(RESOURCE, WAITING);
        fixture.pass(TTL.plusMillis(1));
        assertInstanceOf(Acquisition.Acquired.class, waiter.getNow(null));
    }

    @Test
    void reconnectWakesWaiters() {
        fixture.await(fixture.engine.acquire(RESOURCE, terms(A)));
        CompletableFuture<Acquisition> waiter = waitQueues().acquire(RESOURCE, WAITING);
        fixture.pass(Duration.ofMillis(100));
        fixture.otherConnection.setFault(Fault.DOWN);
        release();
        fixture.otherConnection.setFault(Fault.NONE);
        fixture.pass(Duration.ofMillis(1));
        assertInstanceOf(Acquisition.Acquired.class, waiter.getNow(null));
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

    @Test
    void announcesChangesOfAllReplicas() {
        List<LockEvent> events = fixture.watchEvents();
        Acquisition acquired = fixture.await(fixture.engine.acquire(RESOURCE, terms(A)));
        fixture.await(fixture.other.extend(RESOURCE, A, TTL));
        release();
        fixture.await(fixture.engine.acquire(RESOURCE, terms(B)));
        fixture.pass(TTL.plus(FakeConsensus.TTL_MAX).plusSeconds(10));
        assertEquals(
                List.of(
                        LockEventKind.ACQUIRED,
                        LockEventKind.EXTENDED,
                        LockEventKind.RELEASED,
                        LockEventKind.ACQUIRED,
                        LockEventKind.EXPIRED),
                events.stream().map(LockEvent::kind).toList());
        assertEquals(
                List.of(TTL, TTL, Duration.ZERO, TTL, Duration.ZERO),
                events.stream().map(LockEvent::left).toList());
        assertTrue(Stream.of(0, 1, 2).allMatch(i -> events.get(i)
                .fence()
                .equals(acquired.granted().orElseThrow().fence())));
        assertEquals(0, fixture.store.size());
    }

    private Release release() {
        return fixture.await(fixture.engine.release(RESOURCE, A));
    }
}
