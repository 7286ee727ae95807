// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.sessions;

import static io.quorumlock.testing.FakeFleet.A;
import static io.quorumlock.testing.FakeFleet.B;
import static io.quorumlock.testing.FakeFleet.RESOURCE;
import static io.quorumlock.testing.FakeFleet.TTL;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.quorumlock.core.lock.AcquireTerms;
import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.features.sessions.SessionClient.SessionEndReason;
import io.quorumlock.http.ProblemException;
import io.quorumlock.service.waiting.WaitQueues;
import io.quorumlock.service.waiting.WaitQueues.WaitingLimits;
import io.quorumlock.testing.FakeFleet;
import io.quorumlock.testing.SessionEvent;
import io.quorumlock.testing.SessionEvent.Began;
import io.quorumlock.testing.SessionEvent.Ended;
import io.quorumlock.testing.SessionEvent.Failed;
import io.quorumlock.testing.SessionEvent.Refused;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Sessions that wait for their lock, are too many, or run when the replica shuts down. */
class SessionLimitsTest {
    private static final int MOST = 2;
    private static final Duration SOON = Duration.ofMillis(220);

    private final FakeFleet fleet = new FakeFleet(5);
    private final WaitQueues engine = fleet.waitQueues(7, fleet.signal(), new WaitingLimits(10, 10));
    private final Sessions sessions = new Sessions(engine, MOST, fleet.time.engineContext(3), why -> {});
    private TestSession session;

    /** R14 */
    @Test
    void rejectsSessionsOverTheLimit() {
        for (int i = 0; i < MOST; i++) {
            sessions.open(new ResourceName("other-" + i), terms(A), SessionEvent.client(told -> {}));
        }
        open(A).end(SessionEndReason.GONE);
        fleet.time.pass(SOON);
        Failed failed = assertInstanceOf(Failed.class, session.last());
        assertEquals(
                429,
                assertInstanceOf(ProblemException.class, failed.bug()).answer().status());
        assertEquals(MOST, sessions.count());
    }

    @Test
    void shutdownEndsSessionsAndKeepsLeases() {
        open(A);
        sessions.end();
        fleet.time.pass(SOON);
        assertEquals(
                SessionEndReason.SHUTDOWN,
                assertInstanceOf(Ended.class, session.last()).why());
        assertEquals(5, fleet.holding());
        open(B);
        assertInstanceOf(Acquisition.ShuttingDown.class, ((Refused) session.last()).why());
        assertNothingIsLeft();
    }

    @Test
    void shutdownRefusesWaitingSessions() {
        fleet.acquire(B);
        open(A);
        sessions.end();
        fleet.time.pass(SOON);
        assertInstanceOf(Acquisition.ShuttingDown.class, ((Refused) session.last()).why());
        assertNothingIsLeft();
    }

    @Test
    void beginsWaitingSessionAfterRelease() {
        fleet.acquire(B);
        open(A);
        assertEquals(List.of(), session.events);
        engine.release(RESOURCE, B);
        fleet.time.pass(SOON);
        assertInstanceOf(Began.class, session.last());
    }

    /** R11 */
    @Test
    void acquiresNothingForWaitingClientThatIsGone() {
        fleet.acquire(B);
        open(A).end(SessionEndReason.UNDELIVERED);
        fleet.time.pass(SOON);
        engine.release(RESOURCE, B);
        fleet.time.pass(SOON);
        assertEquals(0, fleet.holding());
        assertEquals(List.of(), session.events);
        assertNothingIsLeft();
    }

    private void assertNothingIsLeft() {
        fleet.time.pass(TTL.multipliedBy(2));
        assertEquals(0, sessions.count());
        assertEquals(0, engine.all());
        assertEquals(0, fleet.holding());
        assertEquals(0, fleet.time.pending());
    }

    private TestSession open(LeaseToken token) {
        session = new TestSession(sessions, terms(token));
        fleet.time.pass(SOON);
        return session;
    }

    private static AcquireTerms terms(LeaseToken token) {
        return new AcquireTerms(TTL, Duration.ofSeconds(5), Optional.of(token), Optional.empty(), LockKind.EXCLUSIVE);
    }
}
