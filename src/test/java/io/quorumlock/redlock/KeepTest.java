// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redlock;

import static io.quorumlock.testing.FakeFleet.A;
import static io.quorumlock.testing.FakeFleet.B;
import static io.quorumlock.testing.FakeFleet.RESOURCE;
import static io.quorumlock.testing.FakeFleet.TTL;
import static io.quorumlock.testing.FakeFleet.terms;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.lock.AcquireTerms;
import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.Extension;
import io.quorumlock.lock.ForcedRelease;
import io.quorumlock.lock.Inspection;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.Listing;
import io.quorumlock.lock.LockDirectory.PageTerms;
import io.quorumlock.lock.Owner;
import io.quorumlock.lock.Release;
import io.quorumlock.lock.Release.Holder;
import io.quorumlock.lock.ResourceNames;
import io.quorumlock.lock.ResourcePrefix;
import io.quorumlock.testing.FakeFleet;
import io.quorumlock.testing.FakeMaster.Fault;
import io.quorumlock.waiting.WaitQueues;
import io.quorumlock.waiting.WaitQueues.WaitingLimits;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Releases that keep the name taken for a while (promise K). */
class KeepTest {
    private static final Duration KEEP = Duration.ofSeconds(2);
    private static final Duration MILLISECOND = Duration.ofMillis(1);

    private final FakeFleet fleet = new FakeFleet(5);

    @Test
    void nobodyAcquiresKeptNameBeforeItsEnd() {
        fleet.acquire(A);
        assertInstanceOf(Release.Released.class, keep(KEEP));
        for (LeaseToken token : List.of(A, B)) {
            Acquisition.Held held = assertInstanceOf(Acquisition.Held.class, fleet.acquire(token));
            assertEquals(Optional.empty(), held.holder());
            assertTrue(held.kept());
        }
        fleet.time.pass(KEEP.minus(MILLISECOND));
        assertInstanceOf(Acquisition.Held.class, fleet.acquire(B));
        fleet.time.pass(MILLISECOND);
        assertInstanceOf(Acquisition.Acquired.class, fleet.acquire(B));
    }

    @Test
    void holderGivesUpItsRightsAtOnce() {
        fleet.acquire(A);
        keep(KEEP);
        assertEquals(new Extension.Lost(Holder.NOBODY, Optional.empty()), fleet.extend(A));
        assertInstanceOf(Acquisition.Held.class, fleet.acquire(B));
    }

    /** A client repeats a release whose answer was lost, possibly without the keep. */
    @Test
    void repeatedReleaseChangesNothing() {
        fleet.acquire(A);
        keep(KEEP);
        fleet.time.pass(KEEP.dividedBy(2));
        assertInstanceOf(Release.Released.class, keep(KEEP));
        assertInstanceOf(Release.Released.class, fleet.release(A));
        assertEquals(Optional.of(KEEP.dividedBy(2)), kept());
    }

    @Test
    void keepsNameForRestOfLeaseAtMost() {
        fleet.acquire(A);
        keep(TTL.multipliedBy(3));
        assertEquals(Optional.of(TTL), kept());
    }

    @Test
    void foreignTokenKeepsNothing() {
        fleet.acquire(A);
        assertEquals(
                new Release.NotHeld(Holder.ANOTHER, Optional.empty()),
                fleet.await(fleet.engine.release(ResourceNames.of(RESOURCE), B, KEEP)));
        assertEquals(Optional.empty(), kept());
    }

    /** A plain release would have succeeded: a majority no longer has the lease. */
    @Test
    void isUnconfirmedWithoutMajorityThatKeeps() {
        fleet.acquire(A);
        fleet.master(3).forget();
        fleet.setFault(Fault.DOWN, 4, 5);
        assertInstanceOf(Release.Unconfirmed.class, keep(KEEP));
    }

    @Test
    void inspectionAndListShowKeptName() {
        AcquireTerms owned =
                new AcquireTerms(TTL, Duration.ZERO, Duration.ZERO, Optional.of(A), Optional.of(new Owner("billing")));
        fleet.await(fleet.engine.acquire(RESOURCE, owned));
        keep(KEEP);
        Inspection.Held held = assertInstanceOf(Inspection.Held.class, fleet.inspect());
        assertTrue(held.kept());
        assertEquals(Optional.empty(), held.owner());
        PageTerms all = new PageTerms(new ResourcePrefix(""), Optional.empty(), 10);
        Listing.Page page = assertInstanceOf(Listing.Page.class, fleet.await(fleet.directory.list(all)));
        assertTrue(page.locks().get(0).state().kept());
        assertEquals(Optional.empty(), page.locks().get(0).state().owner());
    }

    @Test
    void forcedReleaseFreesKeptName() {
        fleet.acquire(A);
        keep(KEEP);
        assertEquals(new ForcedRelease.Broken(Optional.empty()), fleet.force());
        assertInstanceOf(Acquisition.Acquired.class, fleet.acquire(B));
    }

    @Test
    void waiterGetsKeptNameAtItsEnd() {
        fleet.masters.forEach(master -> master.answerAfter(MILLISECOND));
        WaitQueues queues = fleet.waitQueues(7, fleet.signal(), new WaitingLimits(100, 100));
        fleet.await(queues.acquire(RESOURCE, terms(A)));
        AcquireTerms patient =
                new AcquireTerms(TTL, Duration.ZERO, Duration.ofSeconds(8), Optional.of(B), Optional.empty());
        CompletableFuture<Acquisition> waiting = queues.acquire(RESOURCE, patient);
        fleet.time.pass(Duration.ofMillis(100));
        fleet.await(queues.release(ResourceNames.of(RESOURCE), A, KEEP));
        fleet.time.pass(KEEP.minusMillis(10));
        assertFalse(waiting.isDone());
        fleet.time.pass(Duration.ofMillis(100));
        assertInstanceOf(Acquisition.Acquired.class, waiting.getNow(null));
    }

    private Release keep(Duration keep) {
        return fleet.await(fleet.engine.release(ResourceNames.of(RESOURCE), A, keep));
    }

    /** Returns how long the name is still kept. */
    private Optional<Duration> kept() {
        Inspection.Held held = assertInstanceOf(Inspection.Held.class, fleet.inspect());
        return held.kept() ? Optional.of(held.remaining()) : Optional.empty();
    }
}
