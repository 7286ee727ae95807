package io.quorumlock.session;

import static io.quorumlock.testing.FakeFleet.A;
import static io.quorumlock.testing.FakeFleet.RESOURCE;
import static io.quorumlock.testing.FakeFleet.TTL;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlock.lock.Lease;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.LockEngine;
import io.quorumlock.session.SessionEvent.Begun;
import io.quorumlock.session.SessionTerms.WhenGone;
import io.quorumlock.testing.FakeFleet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;

/** A room for sessions on a fleet of fakes, on virtual time. */
abstract class SessionFixture {
    static final Duration LONGEST = TTL.plusSeconds(1);
    static final Duration THIRD = TTL.dividedBy(3);
    static final Duration SOON = Duration.ofMillis(20);

    final FakeFleet fleet = new FakeFleet(5);
    final FakeBeats beats = new FakeBeats();
    final List<SessionEndReason> ends = new ArrayList<>();
    final List<SessionEvent> news = new ArrayList<>();
    SessionManager room = room(LONGEST);

    @BeforeEach
    void letAnswersTakeAMillisecond() {
        fleet.nodes.forEach(node -> node.answerAfter(Duration.ofMillis(1)));
    }

    Sessions.Session reopen(List<SessionEvent> heard) {
        return room.open(RESOURCE, terms(A, Optional.empty(), WhenGone.RELEASE), heard::add);
    }

    void assertOver(SessionEndReason why) {
        fleet.time.pass(TTL);
        assertEquals(List.of(why), ends);
        assertEquals(0, room.count());
        assertEquals(0, beats.watches());
        assertEquals(0, fleet.holding());
        assertEquals(0, fleet.time.pending());
    }

    Sessions.Session open(LeaseToken token, WhenGone whenGone) {
        Sessions.Session session = room.open(RESOURCE, terms(token, Optional.empty(), whenGone), news::add);
        fleet.time.pass(Duration.ofMillis(1));
        return session;
    }

    Lease lease() {
        return ((Begun) news.get(0)).lease();
    }

    SessionEvent last() {
        return news.get(news.size() - 1);
    }

    List<Class<?>> kinds() {
        List<Class<?>> kinds = new ArrayList<>();
        news.forEach(one -> kinds.add(one.getClass()));
        return kinds;
    }

    SessionManager room(Duration longest) {
        return room(longest, fleet.engine);
    }

    SessionManager room(Duration longest, LockEngine engine) {
        return new SessionManager(
                engine, beats, new Sessions.Bounds(5, longest), fleet.time.engineContext(3), ends::add);
    }

    static SessionTerms terms(LeaseToken token, Optional<Duration> beat, WhenGone whenGone) {
        return new SessionTerms(FakeFleet.terms(token), beat, whenGone);
    }
}
