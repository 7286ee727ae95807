// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.consensus;

import static io.quorumlock.testing.EngineFixture.A;
import static io.quorumlock.testing.EngineFixture.B;
import static io.quorumlock.testing.EngineFixture.RESOURCE;
import static io.quorumlock.testing.EngineFixture.TTL;
import static io.quorumlock.testing.EngineFixture.terms;
import static io.quorumlock.testing.EngineFixture.waitingWriter;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.lock.AcquireTerms;
import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.Extension;
import io.quorumlock.core.lock.Lease;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.lock.Release.Holder;
import io.quorumlock.core.loop.EngineContext;
import io.quorumlock.core.loop.MonotonicTime;
import io.quorumlock.testing.FakeConsensus;
import io.quorumlock.testing.FakeRecordStore.Fault;
import io.quorumlock.testing.Proves;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** S1: a lease ends for other clients when its record was seen unchanged for its whole duration. */
@Proves({"S1", "L1", "N"})
class TakeoverTest {
    private static final Duration ROUND_TRIP = Duration.ofMillis(10);
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final AcquireTerms SHORT = new AcquireTerms(
            Duration.ofMillis(200), Duration.ZERO, Optional.of(A), Optional.empty(), LockKind.EXCLUSIVE);

    private static final AcquireTerms LONG = new AcquireTerms(
            FakeConsensus.TTL_MAX, Duration.ZERO, Optional.of(A), Optional.empty(), LockKind.EXCLUSIVE);

    private final FakeConsensus fixture = new FakeConsensus();

    @Test
    void everyConnectedReplicaFreesLockAtTheSameTime() {
        acquired(acquire(fixture.engine));
        fixture.pass(TTL.minusMillis(1));
        assertEquals(Duration.ofMillis(1), held(acquireOther()).remaining());
        fixture.pass(Duration.ofMillis(1));
        acquired(acquireOther());
    }

    /** The holder may have extended its lease just before. */
    @Test
    void replicaThatSawTheRecordLateCountsFromThen() {
        fixture.otherConnection.setFault(Fault.DOWN);
        acquired(acquire(fixture.engine));
        fixture.connection.setFault(Fault.DOWN); // or it would delete the record after its end
        fixture.pass(Duration.ofSeconds(9));
        fixture.otherConnection.setFault(Fault.NONE);
        assertEquals(TTL, held(acquireOther()).remaining());
        fixture.pass(TTL.minusMillis(1));
        held(acquireOther());
        fixture.pass(Duration.ofMillis(1));
        acquired(acquireOther());
    }

    /** L1: connections that are cut more often than once in a TTL do not keep the lock of a vanished holder. */
    @Test
    void reconnectDoesNotStartTheCountAgain() {
        acquired(acquire(fixture.engine));
        fixture.connection.setFault(Fault.DOWN); // or it would delete the record after its end
        for (int second = 1; second < TTL.toSeconds(); second++) {
            fixture.pass(SECOND);
            reconnectOther();
            if (second % 2 == 0) { // the record is also not read between some reconnects
                assertEquals(TTL.minusSeconds(second), held(acquireOther()).remaining());
            }
        }
        fixture.pass(SECOND);
        acquired(acquireOther());
    }

    /** The holder extended its lease while the other replica was cut off. */
    @Test
    void reconnectStartsTheCountOfAnotherVersion() {
        acquired(acquire(fixture.engine));
        fixture.pass(TTL.minus(SECOND));
        fixture.otherConnection.setFault(Fault.SILENT);
        assertInstanceOf(Extension.Extended.class, extend());
        fixture.pass(SECOND);
        fixture.otherConnection.setFault(Fault.NONE);
        assertEquals(TTL, held(acquireOther()).remaining());
    }

    /** L1: restarts of all replicas, more often than once in a TTL, do not keep the lock of a vanished holder. */
    @Test
    void restartDoesNotStartTheCountAgain() {
        acquired(fixture.await(fixture.engine.acquire(RESOURCE, LONG)));
        fixture.pass(SECOND.multipliedBy(34));
        Consensus second = restart();
        held(fixture.await(second.acquire(RESOURCE, waitingWriter(B)))); // writes the record once more
        fixture.pass(SECOND.multipliedBy(24));
        Consensus third = restart();
        // Notes are written each 3.75 s: the lease is as old as the notes after it.
        Duration counted = Duration.ofMillis(30_000 + 22_500);
        assertEquals(LONG.ttl().minus(counted), remaining(third));
        fixture.pass(LONG.ttl().minus(counted));
        acquired(fixture.await(third.acquire(RESOURCE, terms(B))));
    }

    @Test
    void restartCountsAnExtendedLeaseFromItsExtension() {
        acquired(fixture.await(fixture.engine.acquire(RESOURCE, LONG)));
        fixture.pass(SECOND.multipliedBy(30));
        fixture.await(fixture.engine.extend(RESOURCE, A, LONG.ttl()));
        fixture.pass(SECOND.multipliedBy(15));
        held(fixture.await(fixture.engine.acquire(RESOURCE, waitingWriter(B)))); // writes the record once more
        fixture.pass(SECOND.multipliedBy(15));
        assertEquals(LONG.ttl().minusMillis(60_000 - 33_750), remaining(restart()));
    }

    /** The last write was about the rest of the lease, which is shorter than what is counted on. */
    @Test
    void restartCountsOnTheRestOfARepeatedAcquire() {
        acquired(fixture.await(fixture.engine.acquire(RESOURCE, LONG)));
        fixture.pass(SECOND.multipliedBy(45));
        assertInstanceOf(Acquisition.Replayed.class, fixture.await(fixture.engine.acquire(RESOURCE, LONG)));
        for (int run = 0; run < 3; run++) {
            held(fixture.await(restart().acquire(RESOURCE, terms(B))));
            fixture.pass(SECOND.multipliedBy(8));
        }
        acquired(fixture.await(restart().acquire(RESOURCE, terms(B))));
    }

    private Duration remaining(Consensus replica) {
        return held(fixture.await(replica.acquire(RESOURCE, terms(B)))).remaining();
    }

    /** Ends all replicas, and starts one an hour later. */
    private Consensus restart() {
        fixture.store.setFault(Fault.DOWN);
        fixture.pass(Duration.ofHours(1));
        return fixture.replica(fixture.store.connect(), fixture.time.engineContext(5));
    }

    private void reconnectOther() {
        fixture.otherConnection.setFault(Fault.SILENT);
        fixture.otherConnection.setFault(Fault.NONE);
    }

    @Test
    void reconnectDoesNotBringBackLeaseThatWasOver() {
        acquired(acquire(fixture.engine));
        fixture.pass(TTL.plus(Leftovers.PERIOD));
        reconnectOther();
        acquired(acquireOther());
    }

    /** The replicas were connected again one after the other, so that none had read the record. */
    @Test
    void reconnectOfAllReplicasDoesNotBringBackLeaseThatWasOver() {
        acquired(acquire(fixture.engine));
        List.of(fixture.otherConnection, fixture.connection).forEach(replica -> {
            replica.setFault(Fault.SILENT);
            replica.setFault(Fault.NONE);
        });
        fixture.pass(TTL.plus(Leftovers.PERIOD.multipliedBy(3)));
        acquired(acquireOther());
    }

    /** The periodic delete and an extension were decided on the same version of the record. */
    @Test
    void leftoverThatIsExtendedIsNotDeleted() {
        fixture.pass(Leftovers.PERIOD.minus(SHORT.ttl()).minusMillis(1));
        acquired(fixture.await(fixture.engine.acquire(RESOURCE, SHORT)));
        CompletableFuture<Extension> extension = extendInTheLastMillisecond();
        fixture.otherConnection.answerAfter(ROUND_TRIP.multipliedBy(2));
        assertInstanceOf(Extension.Extended.class, fixture.await(extension));
        fixture.pass(ROUND_TRIP.multipliedBy(10));
        assertEquals(1, fixture.store.size());
    }

    @Test
    void extensionStartsTheCountAgain() {
        acquired(acquire(fixture.engine));
        fixture.pass(Duration.ofSeconds(9));
        assertInstanceOf(Extension.Extended.class, extend());
        assertEquals(TTL, held(acquireOther()).remaining());
    }

    /** The count is about the duration in the record, and not that of the acquire. */
    @Test
    void longerExtensionIsRespected() {
        acquired(acquire(fixture.engine));
        Duration longer = TTL.multipliedBy(2);
        fixture.await(fixture.engine.extend(RESOURCE, A, longer));
        fixture.pass(longer.minusMillis(1));
        held(acquireOther());
    }

    /** Both were decided on the same version of the record. */
    @Test
    void takeoverAfterExtensionFails() {
        acquired(fixture.await(fixture.engine.acquire(RESOURCE, SHORT)));
        CompletableFuture<Extension> extension = extendInTheLastMillisecond();
        fixture.otherConnection.answerAfter(ROUND_TRIP.multipliedBy(2));
        CompletableFuture<Acquisition> takeover = fixture.other.acquire(RESOURCE, terms(B));
        held(fixture.await(takeover));
        assertInstanceOf(Extension.Extended.class, fixture.await(extension));
    }

    @Test
    void extensionAfterTakeoverFails() {
        acquired(fixture.await(fixture.engine.acquire(RESOURCE, SHORT)));
        CompletableFuture<Extension> extension = extendInTheLastMillisecond();
        acquired(fixture.await(fixture.other.acquire(RESOURCE, terms(B))));
        assertEquals(new Extension.Lost(Holder.ANOTHER, Optional.empty()), fixture.await(extension));
    }

    /** Starts an extension that takes effect 5 ms after the lock is free for others. */
    private CompletableFuture<Extension> extendInTheLastMillisecond() {
        fixture.pass(SHORT.ttl().minusMillis(1));
        Duration untilFree = Duration.ofMillis(1);
        fixture.connection.answerAfter(untilFree.plusMillis(5).multipliedBy(2));
        CompletableFuture<Extension> extension = fixture.engine.extend(RESOURCE, A, SHORT.ttl());
        fixture.pass(untilFree);
        return extension;
    }

    /** S1 with clocks at the limit: the holder's clock is slow, that of the next one is fast. */
    @Test
    void leaseEndsForItsHolderBeforeTakeover() {
        EngineContext slow = withRate(0.995, 3);
        EngineContext fast = withRate(1.005, 4);
        Consensus holder = fixture.replica(fixture.store.connect(), slow);
        Consensus next = fixture.replica(fixture.store.connect(), fast);
        MonotonicTime start = slow.clock().now();
        Lease lease = acquired(acquire(holder));
        while (fixture.await(next.acquire(RESOURCE, terms(B))) instanceof Acquisition.Held) {
            fixture.pass(Duration.ofMillis(1));
        }
        Duration heldFor = slow.clock().now().since(start);
        assertTrue(heldFor.compareTo(lease.elapsed().plus(lease.validity())) > 0);
    }

    private EngineContext withRate(double rate, long seed) {
        EngineContext right = fixture.time.engineContext(seed);
        return new EngineContext(
                () -> new MonotonicTime((long) (right.clock().now().nanos() * rate)),
                right.wallClock(),
                right.scheduler(),
                right.loop(),
                right.random());
    }

    private Acquisition acquire(Consensus replica) {
        return fixture.await(replica.acquire(RESOURCE, terms(A)));
    }

    private Acquisition acquireOther() {
        return fixture.await(fixture.other.acquire(RESOURCE, terms(B)));
    }

    private Extension extend() {
        return fixture.await(fixture.engine.extend(RESOURCE, A, TTL));
    }

    private static Lease acquired(Acquisition acquisition) {
        return assertInstanceOf(Acquisition.Acquired.class, acquisition).lease();
    }

    private static Acquisition.Held held(Acquisition acquisition) {
        return assertInstanceOf(Acquisition.Held.class, acquisition);
    }
}
