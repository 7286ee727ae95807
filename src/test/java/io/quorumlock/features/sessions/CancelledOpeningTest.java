// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.sessions;

import static io.quorumlock.testing.FakeFleet.A;
import static io.quorumlock.testing.FakeFleet.B;
import static io.quorumlock.testing.FakeFleet.RESOURCE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.LockEngine;
import io.quorumlock.features.sessions.SessionClient.SessionEndReason;
import io.quorumlock.testing.FakeFleet;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** S1, S4: an opening that is cancelled as it is granted must not end a lease on which the same client relies. */
class CancelledOpeningTest extends SessionFixture {
    private final LockEngine elsewhere = fleet.replica(2);

    /** The client has a session here, and gives up a second opening with its token at another replica. */
    @Test
    void sparesLeaseOfSessionAtAnotherReplica() {
        open(A);
        fleet.time.pass(Duration.ofSeconds(1));
        cancelledAsGranted(sessions(elsewhere));
        assertEquals(1, session.events.size(), "the first session is as it was");
        assertInstanceOf(Acquisition.Held.class, fleet.acquire(B));
    }

    /** The client gives up a second opening with its token at the same replica. */
    @Test
    void sparesLeaseOfSessionAtSameReplica() {
        open(A);
        fleet.time.pass(Duration.ofSeconds(1));
        cancelledAsGranted(sessions);
        assertInstanceOf(Acquisition.Held.class, fleet.acquire(B), () -> "the first session got " + last());
    }

    /** The client repeats its acquire at another replica before this one notices that its connection ended. */
    @Test
    void sparesLeaseOfRepeatedAcquire() {
        TestSession[] lost = new TestSession[1];
        fleet.time.after(Duration.ofMillis(1), () -> lost[0].end(SessionEndReason.GONE));
        lost[0] = new TestSession(sessions, FakeFleet.terms(A));
        fleet.time.pass(Duration.ofNanos(200_000));
        CompletableFuture<Acquisition> repeated = elsewhere.acquire(RESOURCE, FakeFleet.terms(A));
        fleet.time.pass(SOON);
        assertInstanceOf(Acquisition.Replayed.class, repeated.getNow(null));
        assertInstanceOf(Acquisition.Held.class, fleet.acquire(B));
    }

    private void cancelledAsGranted(Sessions there) {
        TestSession[] again = new TestSession[1];
        fleet.time.after(Duration.ofMillis(1), () -> again[0].end(SessionEndReason.GONE));
        again[0] = new TestSession(there, FakeFleet.terms(A));
        fleet.time.pass(SOON);
    }
}
