// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.session;

import static io.quorumlock.testing.FakeFleet.A;
import static io.quorumlock.testing.FakeFleet.B;
import static io.quorumlock.testing.FakeFleet.RESOURCE;
import static io.quorumlock.testing.FakeFleet.TTL;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.quorumlock.lock.AcquireTerms;
import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.ExtendTerms;
import io.quorumlock.lock.Extension;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.session.Heartbeats.BeatOutcome;
import io.quorumlock.session.SessionEvent.Ended;
import io.quorumlock.session.SessionEvent.Lost;
import io.quorumlock.session.SessionEvent.SessionEndReason;
import io.quorumlock.session.Sessions.Opening.Opened;
import io.quorumlock.session.Sessions.Opening.Refused;
import io.quorumlock.session.Sessions.Opening.TooManySessions;
import io.quorumlock.session.Sessions.SessionTerms;
import io.quorumlock.session.Sessions.SessionTerms.WhenGone;
import io.quorumlock.testing.FakeFleet;
import io.quorumlock.waiting.WaitQueues;
import io.quorumlock.waiting.WaitQueues.WaitingLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Sessions on two replicas: heartbeats between them, limits, and shutdown. */
class SessionManagerTest {
    private static final int MOST = 2;
    private static final Duration BEAT = Duration.ofSeconds(2);
    private static final Duration SOON = Duration.ofMillis(220);

    private final FakeFleet fleet = new FakeFleet(5);
    private final FakeBeats beats = new FakeBeats();
    private final WaitQueues engine = fleet.waitQueues(7, fleet.signal(), new WaitingLimits(10, 10));
    private final List<SessionEndReason> ends = new ArrayList<>();
    private final SessionManager here = manager();
    private final SessionManager there = manager();
    private TestSession session;

    @Test
    void endsSessionWithoutHeartbeat() {
        open(A, WhenGone.RELEASE);
        fleet.time.pass(BEAT.plus(SOON));
        assertEquals(new Lost(SessionEndReason.SILENT), last());
        assertEquals(0, fleet.holding());
        assertNothingIsLeft();
    }

    @Test
    void leaseExpiresWithoutHeartbeat() {
        open(A, WhenGone.EXPIRE);
        fleet.time.pass(BEAT.plus(SOON));
        assertEquals(
                SessionEndReason.SILENT, assertInstanceOf(Ended.class, last()).why());
        assertEquals(5, fleet.holding());
        assertNothingIsLeft();
    }

    @Test
    void receivesHeartbeatsThroughAnyReplica() {
        open(A, WhenGone.RELEASE);
        for (int i = 0; i < 4; i++) {
            fleet.time.pass(BEAT.minusMillis(100));
            assertEquals(new BeatOutcome.Heard(), beat(i % 2 == 0 ? here : there, A));
        }
        assertEquals(5, fleet.holding());
        fleet.time.pass(BEAT.plus(SOON));
        assertEquals(List.of(SessionEndReason.SILENT), ends);
    }

    /** Another replica confirmed it to the client, which relies on that, but this process was paused before it read it. */
    @Test
    void readsLastHeartbeatsAfterPause() {
        open(A, WhenGone.RELEASE);
        fleet.time.pass(BEAT.minus(SOON).plusMillis(190));
        assertEquals(new BeatOutcome.Heard(), beat(there, A));
        fleet.time.pass(BEAT);
        assertEquals(5, fleet.holding());
        fleet.time.pass(SOON);
        assertEquals(List.of(SessionEndReason.SILENT), ends);
    }

    /** S4 */
    @Test
    void rejectsHeartbeatsWithAnotherToken() {
        open(A, WhenGone.RELEASE);
        assertEquals(new BeatOutcome.NoSession(), beat(here, B));
        assertEquals(new BeatOutcome.NoSession(), beat(there, B));
    }

    @Test
    void keepsSessionWithoutHeartbeatInterval() {
        here.open(RESOURCE, terms(A, Optional.empty(), WhenGone.RELEASE), event -> {});
        fleet.time.pass(TTL.dividedBy(2));
        assertEquals(5, fleet.holding());
        assertEquals(new BeatOutcome.Heard(), beat(here, A));
        assertEquals(0, beats.watches());
    }

    /** R14 */
    @Test
    void rejectsSessionsOverTheLimit() {
        for (int i = 0; i < MOST; i++) {
            here.open(new ResourceName("other-" + i), terms(A, Optional.empty(), WhenGone.RELEASE), told -> {});
        }
        open(A, WhenGone.EXPIRE).end(SessionEndReason.GONE);
        fleet.time.pass(SOON);
        assertEquals(List.of(new TooManySessions(MOST)), session.results);
        assertEquals(MOST, here.count());
    }

    @Test
    void shutdownEndsSessionsAndKeepsLeases() {
        open(A, WhenGone.RELEASE);
        here.close();
        fleet.time.pass(SOON);
        assertEquals(
                SessionEndReason.SHUTDOWN, assertInstanceOf(Ended.class, last()).why());
        assertEquals(5, fleet.holding());
        open(B, WhenGone.RELEASE);
        assertInstanceOf(Acquisition.ShuttingDown.class, ((Refused) last()).why());
        assertNothingIsLeft();
    }

    @Test
    void shutdownRefusesWaitingSessions() {
        fleet.acquire(B);
        open(A, WhenGone.RELEASE);
        here.close();
        fleet.time.pass(SOON);
        assertInstanceOf(Acquisition.ShuttingDown.class, ((Refused) last()).why());
        assertNothingIsLeft();
    }

    @Test
    void opensWaitingSessionAfterRelease() {
        fleet.acquire(B);
        open(A, WhenGone.RELEASE);
        assertEquals(List.of(), session.results);
        engine.release(RESOURCE, B);
        fleet.time.pass(SOON);
        assertInstanceOf(Opened.class, last());
    }

    /** R11 */
    @Test
    void cancelledOpeningAcquiresNothing() {
        fleet.acquire(B);
        open(A, WhenGone.EXPIRE).end(SessionEndReason.GONE);
        fleet.time.pass(SOON);
        engine.release(RESOURCE, B);
        fleet.time.pass(SOON);
        assertEquals(0, fleet.holding());
        assertEquals(List.of(), session.results);
        assertNothingIsLeft();
    }

    /** S1: with another waiter, the release is a hand-over; a reconnect must not be served before it. */
    @Test
    void reconnectGetsNoLeaseThatTheFirstReleaseDeletes() {
        AcquireTerms once = new AcquireTerms(TTL, Optional.of(A), Optional.empty());
        TestSession first = new TestSession(here, session(once));
        fleet.time.pass(SOON);
        engine.acquire(RESOURCE, terms(B, Optional.empty(), WhenGone.EXPIRE).lease());
        fleet.time.pass(SOON);
        first.end(SessionEndReason.GONE);
        TestSession again = new TestSession(here, session(once));
        fleet.time.pass(SOON);
        assertInstanceOf(Opened.class, again.results.get(0));
        Extension extension = fleet.await(engine.extend(RESOURCE, A, new ExtendTerms(TTL)));
        assertInstanceOf(Extension.Extended.class, extension);
    }

    private static SessionTerms session(AcquireTerms lease) {
        return new SessionTerms(lease, Optional.empty(), WhenGone.RELEASE);
    }

    private void assertNothingIsLeft() {
        fleet.time.pass(TTL.multipliedBy(2));
        assertEquals(0, here.count());
        assertEquals(0, engine.all());
        assertEquals(0, beats.watches());
        assertEquals(0, fleet.holding());
        assertEquals(0, fleet.time.pending());
    }

    private TestSession open(LeaseToken token, WhenGone whenGone) {
        session = new TestSession(here, terms(token, Optional.of(BEAT), whenGone));
        fleet.time.pass(SOON);
        return session;
    }

    private BeatOutcome beat(SessionManager replica, LeaseToken token) {
        CompletableFuture<BeatOutcome> beat = replica.beat(RESOURCE, token);
        return fleet.await(beat);
    }

    private Object last() {
        return session.last();
    }

    private static SessionTerms terms(LeaseToken token, Optional<Duration> beat, WhenGone whenGone) {
        AcquireTerms lease =
                new AcquireTerms(TTL, Duration.ZERO, Duration.ofSeconds(5), Optional.of(token), Optional.empty());
        return new SessionTerms(lease, beat, whenGone);
    }

    private SessionManager manager() {
        Sessions.Bounds bounds = new Sessions.Bounds(MOST, Duration.ofHours(1));
        return new SessionManager(engine, beats, bounds, fleet.time.engineContext(3), ends::add);
    }
}
