// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.session;

import static io.quorumlock.testing.FakeFleet.A;
import static io.quorumlock.testing.FakeFleet.TTL;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlock.lock.Lease;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.LockEngine;
import io.quorumlock.session.SessionEvent.SessionEndReason;
import io.quorumlock.session.Sessions.SessionTerms;
import io.quorumlock.session.Sessions.SessionTerms.WhenGone;
import io.quorumlock.testing.FakeFleet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;

/** A session manager on a fleet of fakes, in virtual time. */
abstract class SessionFixture {
    static final Duration LONGEST = TTL.plusSeconds(1);
    static final Duration THIRD = TTL.dividedBy(3);
    static final Duration SOON = Duration.ofMillis(20);

    final FakeFleet fleet = new FakeFleet(5);
    final FakeBeats beats = new FakeBeats();
    final List<SessionEndReason> ends = new ArrayList<>();
    SessionManager manager = manager(LONGEST);
    TestSession session;

    @BeforeEach
    void setReplyDelay() {
        fleet.nodes.forEach(node -> node.answerAfter(Duration.ofMillis(1)));
    }

    TestSession reopen() {
        return new TestSession(manager, terms(A, Optional.empty(), WhenGone.RELEASE));
    }

    void assertOver(SessionEndReason why) {
        fleet.time.pass(TTL);
        assertEquals(List.of(why), ends);
        assertEquals(0, manager.count());
        assertEquals(0, beats.watches());
        assertEquals(0, fleet.holding());
        assertEquals(0, fleet.time.pending());
    }

    TestSession open(LeaseToken token, WhenGone whenGone) {
        session = new TestSession(manager, terms(token, Optional.empty(), whenGone));
        fleet.time.pass(Duration.ofMillis(1));
        return session;
    }

    Lease lease() {
        return session.lease();
    }

    Object last() {
        return session.last();
    }

    List<Class<?>> kinds() {
        List<Class<?>> kinds = new ArrayList<>();
        session.results.forEach(one -> kinds.add(one.getClass()));
        return kinds;
    }

    SessionManager manager(Duration longest) {
        return manager(longest, fleet.engine);
    }

    SessionManager manager(Duration longest, LockEngine engine) {
        return new SessionManager(
                engine, beats, new Sessions.Bounds(5, longest), fleet.time.engineContext(3), ends::add);
    }

    static SessionTerms terms(LeaseToken token, Optional<Duration> beat, WhenGone whenGone) {
        return new SessionTerms(FakeFleet.terms(token), beat, whenGone);
    }
}
