// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redlock;

import static io.quorumlock.testing.FakeFleet.A;
import static io.quorumlock.testing.FakeFleet.B;
import static io.quorumlock.testing.FakeFleet.RESOURCE;
import static io.quorumlock.testing.FakeFleet.TTL;
import static io.quorumlock.testing.FakeFleet.terms;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.lock.AcquireTerms;
import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.lock.Release;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.service.waiting.WaitQueues;
import io.quorumlock.service.waiting.WaitQueues.WaitingLimits;
import io.quorumlock.testing.FakeFleet;
import io.quorumlock.testing.FakeMaster.Fault;
import io.quorumlock.testing.Proves;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Releases that keep the name taken for a while (promise K), on masters some of which fail. */
@Proves("K")
class KeepTest {
    private static final Duration KEEP = Duration.ofSeconds(2);
    private static final Duration MILLISECOND = Duration.ofMillis(1);

    private final FakeFleet fleet = new FakeFleet(5);

    /** A plain release would have succeeded: a majority no longer has the lease. */
    @Test
    void isUnconfirmedWithoutMajorityThatKeeps() {
        fleet.acquire(A);
        fleet.master(3).forget();
        fleet.setFault(Fault.DOWN, 4, 5);
        assertInstanceOf(Release.Unconfirmed.class, keep(KEEP));
    }

    /** A confirmed release keeps the name by a majority, also after the leases on the other masters have ended. */
    @Test
    void keepsNameOnMastersWhoseLeaseLasts() {
        fleet.acquire(A);
        fleet.master(4).forget();
        fleet.master(5).forget();
        assertInstanceOf(Release.Released.class, keep(TTL.multipliedBy(2)));
        fleet.time.pass(TTL.multipliedBy(2).minus(MILLISECOND));
        assertInstanceOf(Acquisition.Held.class, fleet.acquire(B));
        fleet.time.pass(MILLISECOND);
        assertInstanceOf(Acquisition.Acquired.class, fleet.acquire(B));
    }

    /** The time counts from the first release on each master. A repetition on the others does not lengthen it there. */
    @Test
    void repeatedReleaseIsKeptSinceTheFirstOne() {
        Duration keep = TTL.multipliedBy(2);
        fleet.acquire(A);
        fleet.setFault(Fault.DOWN, 3, 4, 5);
        assertInstanceOf(Release.Unconfirmed.class, keep(keep));
        fleet.time.pass(KEEP);
        fleet.heal();
        assertInstanceOf(Release.Released.class, keep(keep));
        fleet.time.pass(keep.minus(KEEP).minus(FakeFleet.NODE_TIMEOUT));
        assertInstanceOf(Acquisition.Held.class, fleet.acquire(B));
        fleet.time.pass(KEEP.plus(FakeFleet.NODE_TIMEOUT));
        assertTrue(fleet.masters.stream().allMatch(master -> master.holdsNothing()));
    }

    /** The place of a reader, and a slot of a semaphore. */
    @Test
    void placeIsKeptForLongerThanItsLease() {
        LockKind two = LockKind.ofSlots(2);
        assertInstanceOf(Acquisition.Acquired.class, acquire(LockKind.SHARED, A));
        keep(TTL.multipliedBy(2));
        assertInstanceOf(Acquisition.Acquired.class, acquire(LockKind.SHARED, B));
        fleet.time.pass(TTL.multipliedBy(2).minus(MILLISECOND));
        assertInstanceOf(Acquisition.Held.class, acquire(LockKind.EXCLUSIVE, B));
        fleet.time.pass(MILLISECOND);
        assertInstanceOf(Acquisition.Acquired.class, acquire(two, A));
        keep(TTL.multipliedBy(2));
        fleet.time.pass(TTL);
        assertInstanceOf(Acquisition.Acquired.class, acquire(two, B));
        assertInstanceOf(Acquisition.Held.class, acquire(two, new LeaseToken("token-of-client-C")));
        fleet.time.pass(TTL);
        assertTrue(fleet.masters.stream().allMatch(master -> master.holdsNothing()));
    }

    @Test
    void waiterGetsKeptNameAtItsEnd() {
        fleet.masters.forEach(master -> master.answerAfter(MILLISECOND));
        WaitQueues queues = fleet.waitQueues(7, fleet.signal(), new WaitingLimits(100, 100));
        fleet.await(queues.acquire(RESOURCE, terms(A)));
        AcquireTerms patient =
                new AcquireTerms(TTL, Duration.ofSeconds(8), Optional.of(B), Optional.empty(), LockKind.EXCLUSIVE);
        CompletableFuture<Acquisition> waiting = queues.acquire(RESOURCE, patient);
        fleet.time.pass(Duration.ofMillis(100));
        fleet.await(queues.release(ResourceNames.of(RESOURCE), A, KEEP));
        fleet.time.pass(KEEP.minusMillis(10));
        assertFalse(waiting.isDone());
        fleet.time.pass(Duration.ofMillis(100));
        assertInstanceOf(Acquisition.Acquired.class, waiting.getNow(null));
    }

    private Acquisition acquire(LockKind kind, LeaseToken token) {
        AcquireTerms terms = new AcquireTerms(TTL, Duration.ZERO, Optional.of(token), Optional.empty(), kind);
        return fleet.await(fleet.engine.acquire(RESOURCE, terms));
    }

    private Release keep(Duration keep) {
        return fleet.await(fleet.engine.release(ResourceNames.of(RESOURCE), A, keep));
    }
}
