// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redlock;

import static io.quorumlock.testing.FakeFleet.A;
import static io.quorumlock.testing.FakeFleet.RESOURCE;
import static io.quorumlock.testing.FakeFleet.TTL;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.quorumlock.core.lock.Inspection;
import io.quorumlock.core.lock.NoQuorumReason.Effect;
import io.quorumlock.core.lock.Release;
import io.quorumlock.core.lock.Release.Holder;
import io.quorumlock.testing.FakeFleet;
import io.quorumlock.testing.FakeMaster.Fault;
import io.quorumlock.testing.Proves;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

@Proves({"R5", "R6"})
class ReleaseTest {
    private final FakeFleet fleet = new FakeFleet(5);

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

    /** A connection to any replica is the normal case behind a load balancer, and replicas have different distances. */
    @Test
    void deletesVotesThatArriveAfterTheReleaseThroughAnotherReplica() {
        List.of(4, 5).forEach(far -> fleet.master(far).answerAfter(Duration.ofMillis(40)));
        fleet.acquire(A);
        List.of(4, 5).forEach(near -> fleet.master(near).answerAfter(Duration.ofMillis(1)));
        assertInstanceOf(Release.Released.class, fleet.await(fleet.replica(2).release(RESOURCE, A)));
        fleet.time.pass(Duration.ofMillis(25));
        assertEquals(2, fleet.holding());
        fleet.time.pass(FakeFleet.NODE_TIMEOUT.multipliedBy(2));
        assertEquals(0, fleet.holding());
    }

    /** The answer to a cancelled acquire: the client deletes a lock that it does not have yet. */
    @Test
    void deletesVotesThatArriveAfterAReleaseOfFreeLock() {
        fleet.masters.forEach(master -> master.answerAfter(Duration.ofMillis(40)));
        fleet.engine.acquire(RESOURCE, FakeFleet.terms(A));
        fleet.time.pass(Duration.ofMillis(1));
        fleet.masters.forEach(master -> master.answerAfter(Duration.ofMillis(1)));
        assertEquals(
                new Release.NotHeld(Holder.NOBODY, Optional.empty()),
                fleet.await(fleet.replica(2).release(RESOURCE, A)));
        fleet.time.pass(FakeFleet.NODE_TIMEOUT.multipliedBy(3));
        assertEquals(0, fleet.holding());
    }

    @Test
    void releasesLeaseOfBareMajorityWithOneMasterDown() {
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
        assertEquals(TTL, held.first().remaining());
        assertEquals(5, held.votes().granted());
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
