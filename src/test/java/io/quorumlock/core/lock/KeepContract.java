// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.core.lock;

import static io.quorumlock.testing.EngineFixture.A;
import static io.quorumlock.testing.EngineFixture.B;
import static io.quorumlock.testing.EngineFixture.OWNER;
import static io.quorumlock.testing.EngineFixture.RESOURCE;
import static io.quorumlock.testing.EngineFixture.TTL;
import static io.quorumlock.testing.EngineFixture.terms;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.lock.LockDirectory.ForceTerms;
import io.quorumlock.core.lock.LockDirectory.PageTerms;
import io.quorumlock.core.lock.Release.Holder;
import io.quorumlock.testing.EngineFixture;
import io.quorumlock.testing.Proves;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Releases that keep the name taken for a while (promise K), on every engine. */
@Proves({"K", "A"})
interface KeepContract {
    Duration KEEP = Duration.ofSeconds(2);
    Duration MILLISECOND = Duration.ofMillis(1);

    /** Returns the engine of this test. */
    EngineFixture used();

    @Test
    default void nobodyAcquiresKeptNameBeforeItsEnd() {
        acquire(A);
        assertInstanceOf(Release.Released.class, keep(A, KEEP));
        for (LeaseToken token : List.of(A, B)) {
            Acquisition.Held held = assertInstanceOf(Acquisition.Held.class, acquire(token));
            assertEquals(Optional.empty(), held.holder());
            assertEquals(KEEP, held.remaining());
            assertTrue(held.kept());
        }
        used().pass(KEEP.minus(MILLISECOND));
        assertInstanceOf(Acquisition.Held.class, acquire(B));
        used().pass(MILLISECOND);
        assertInstanceOf(Acquisition.Acquired.class, acquire(B));
    }

    @Test
    default void holderGivesUpItsRightsAtOnce() {
        acquire(A);
        keep(A, KEEP);
        assertEquals(
                new Extension.Lost(Holder.NOBODY, Optional.empty()),
                used().await(used().otherReplica().extend(RESOURCE, A, TTL)));
        assertInstanceOf(Acquisition.Held.class, acquire(B));
    }

    /** A client repeats a release whose answer was lost, possibly without the keep. */
    @Test
    default void repeatedReleaseChangesNothing() {
        acquire(A);
        keep(A, KEEP);
        used().pass(KEEP.dividedBy(2));
        assertInstanceOf(Release.Released.class, keep(A, KEEP));
        assertInstanceOf(Release.Released.class, keep(A, Duration.ZERO));
        assertEquals(Optional.of(KEEP.dividedBy(2)), kept());
    }

    @Test
    default void keepsNameForLongerThanItsLease() {
        Duration keep = TTL.multipliedBy(3);
        acquire(A);
        used().pass(TTL.minus(MILLISECOND));
        assertInstanceOf(Release.Released.class, keep(A, keep));
        assertEquals(Optional.of(keep), kept());
        used().pass(keep.minus(MILLISECOND));
        assertInstanceOf(Release.Released.class, keep(A, keep));
        assertInstanceOf(Acquisition.Held.class, acquire(B));
        used().pass(MILLISECOND);
        assertInstanceOf(Acquisition.Acquired.class, acquire(B));
    }

    @Test
    default void keepsNothingAfterLeaseHasEnded() {
        acquire(A);
        used().pass(TTL);
        assertInstanceOf(Release.NotHeld.class, keep(A, KEEP));
        assertInstanceOf(Acquisition.Acquired.class, acquire(B));
    }

    @Test
    default void keepsAllNamesOfLeaseForLongerThanIt() {
        ResourceName other = new ResourceName("orders/43");
        ResourceNames both = new ResourceNames(List.of(RESOURCE, other));
        used().await(used().engine().acquire(both, terms(A)));
        assertInstanceOf(Release.Released.class, used().await(used().engine().release(both, A, TTL.multipliedBy(2))));
        used().pass(TTL);
        for (ResourceName name : both.list()) {
            assertInstanceOf(
                    Acquisition.Held.class, used().await(used().engine().acquire(name, terms(B))));
        }
        used().pass(TTL);
        assertInstanceOf(
                Acquisition.Acquired.class, used().await(used().engine().acquire(both, terms(B))));
    }

    @Test
    default void foreignTokenKeepsNothing() {
        acquire(A);
        assertEquals(new Release.NotHeld(Holder.ANOTHER, Optional.empty()), keep(B, KEEP));
        assertEquals(Optional.empty(), kept());
        keep(A, KEEP);
        assertEquals(new Release.NotHeld(Holder.ANOTHER, Optional.empty()), keep(B, KEEP));
    }

    @Test
    default void inspectionAndListShowKeptNameAndItsLastOwner() {
        used().await(used().engine().acquire(RESOURCE, terms(A, OWNER)));
        keep(A, KEEP);
        assertEquals(
                Optional.empty(),
                assertInstanceOf(Acquisition.Held.class, acquire(B)).first().owner());
        Inspection.Held held = assertInstanceOf(Inspection.Held.class, inspect());
        assertTrue(held.first().kept());
        assertEquals(OWNER, held.first().owner());
        PageTerms all = new PageTerms(new ResourcePrefix(""), Optional.empty(), 10);
        Listing.Page page = assertInstanceOf(
                Listing.Page.class, used().await(used().directory().list(all)));
        assertTrue(page.locks().get(0).state().first().kept());
        assertEquals(OWNER, page.locks().get(0).state().first().owner());
    }

    @Test
    default void forcedReleaseFreesKeptName() {
        acquire(A);
        keep(A, KEEP);
        assertEquals(
                new ForcedRelease.Broken(Optional.empty()),
                used().await(used().directory().forceRelease(RESOURCE, ForceTerms.ALL)));
        assertInstanceOf(Acquisition.Acquired.class, acquire(B));
    }

    private Acquisition acquire(LeaseToken token) {
        return used().await(used().engine().acquire(RESOURCE, terms(token)));
    }

    private Release keep(LeaseToken token, Duration keep) {
        return used().await(used().engine().release(ResourceNames.of(RESOURCE), token, keep));
    }

    private Inspection inspect() {
        return used().await(used().engine().inspect(RESOURCE));
    }

    /** Returns how long the name is still kept. */
    private Optional<Duration> kept() {
        Inspection.Held held = assertInstanceOf(Inspection.Held.class, inspect());
        return held.first().kept() ? Optional.of(held.first().remaining()) : Optional.empty();
    }
}
