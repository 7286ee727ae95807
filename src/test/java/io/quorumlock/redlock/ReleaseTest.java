// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redlock;

import static io.quorumlock.testing.FakeFleet.A;
import static io.quorumlock.testing.FakeFleet.B;
import static io.quorumlock.testing.FakeFleet.RESOURCE;
import static io.quorumlock.testing.FakeFleet.TTL;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.Extension;
import io.quorumlock.lock.Inspection;
import io.quorumlock.lock.NoQuorumReason.Effect;
import io.quorumlock.lock.Release;
import io.quorumlock.lock.Release.Holder;
import io.quorumlock.testing.FakeFleet;
import io.quorumlock.testing.FakeNode.Fault;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ReleaseTest {
    private final FakeFleet fleet = new FakeFleet(5);

    @Test
    void freesReleasedResourceAtOnce() {
        fleet.acquire(A);
        assertInstanceOf(Release.Released.class, fleet.release(A));
        assertInstanceOf(Acquisition.Acquired.class, fleet.acquire(B));
    }

    @Test
    void reportsSecondReleaseAsNotHeld() {
        fleet.acquire(A);
        fleet.release(A);
        assertEquals(new Release.NotHeld(Holder.NOBODY), fleet.release(A));
    }

    /** R6: requests of a past holder never affect a later one. */
    @Test
    void releaseOfExpiredLeaseDoesNotAffectNextHolder() {
        fleet.acquire(A);
        fleet.time.pass(TTL);
        fleet.acquire(B);
        assertEquals(new Release.NotHeld(Holder.ANOTHER), fleet.release(A));
        assertInstanceOf(Extension.Extended.class, fleet.extend(B));
    }

    @Test
    void releasesThroughAnyReplica() {
        fleet.acquire(A);
        Redlock other = fleet.replica(2);
        assertInstanceOf(Release.Released.class, fleet.await(other.release(RESOURCE, A)));
    }

    @Test
    void toleratesFailedMinorityAndCleansItLater() {
        fleet.acquire(A);
        fleet.setFault(Fault.DOWN, 1);
        fleet.setFault(Fault.SILENT, 2);
        assertInstanceOf(Release.Released.class, fleet.release(A));
        fleet.heal();
        fleet.time.pass(Duration.ofMillis(200));
        assertEquals(0, fleet.holding());
        assertEquals(0, fleet.engine.cleanUpsPending());
    }

    @Test
    void releasesLeaseOfBareMajorityWithOneNodeDown() {
        fleet.setFault(Fault.DOWN, 1, 2);
        fleet.acquire(A);
        fleet.heal();
        fleet.setFault(Fault.DOWN, 5);
        assertInstanceOf(Release.Released.class, fleet.release(A));
    }

    @Test
    void reportsUnconfirmedReleaseAndRetriesIt() {
        fleet.acquire(A);
        fleet.setFault(Fault.SILENT, 1, 2, 3);
        assertInstanceOf(Release.Unconfirmed.class, fleet.release(A));
        fleet.heal();
        fleet.time.pass(Duration.ofMillis(200));
        assertEquals(0, fleet.holding());
    }

    @Test
    void stopsRetryingDeletesOfExpiredValues() {
        fleet.acquire(A);
        fleet.setFault(Fault.DOWN, 1);
        fleet.release(A);
        fleet.time.pass(FakeFleet.TTL_MAX.plusSeconds(2));
        assertEquals(0, fleet.engine.cleanUpsPending());
        assertEquals(0, fleet.time.pending());
    }

    @Test
    void inspectionShowsHolderUntilRelease() {
        fleet.acquire(A);
        Inspection.Held held = assertInstanceOf(Inspection.Held.class, fleet.inspect());
        assertEquals(TTL, held.remaining());
        fleet.release(A);
        assertInstanceOf(Inspection.Free.class, fleet.inspect());
    }

    @Test
    void inspectionReportsNoQuorumWithoutMajority() {
        fleet.setFault(Fault.SILENT, 1, 2, 3);
        Inspection.NoQuorum none = assertInstanceOf(Inspection.NoQuorum.class, fleet.inspect());
        assertEquals(Effect.NONE, none.why().effect());
    }
}
