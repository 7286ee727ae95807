// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.sessions;

import static io.quorumlock.testing.FakeFleet.TTL;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.LockEngine;
import io.quorumlock.features.sessions.SessionClient.SessionEndReason;
import io.quorumlock.testing.FakeFleet;
import io.quorumlock.testing.SessionEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;

/** Sessions on a fleet of fakes, in virtual time. */
abstract class SessionFixture {
    static final Duration THIRD = TTL.dividedBy(3);
    static final Duration SOON = Duration.ofMillis(20);

    final FakeFleet fleet = new FakeFleet(5);
    final List<SessionEndReason> ends = new ArrayList<>();
    Sessions sessions = sessions(fleet.engine);
    TestSession session;

    @BeforeEach
    void setReplyDelay() {
        fleet.masters.forEach(node -> node.answerAfter(Duration.ofMillis(1)));
    }

    void assertOver(SessionEndReason why) {
        fleet.time.pass(TTL);
        assertEquals(List.of(why), ends);
        assertEquals(0, sessions.count());
        assertEquals(0, fleet.holding());
        assertEquals(0, fleet.time.pending());
    }

    TestSession open(LeaseToken token) {
        session = new TestSession(sessions, FakeFleet.terms(token));
        fleet.time.pass(Duration.ofMillis(1));
        return session;
    }

    SessionEvent last() {
        return session.last();
    }

    Sessions sessions(LockEngine engine) {
        return new Sessions(engine, 5, fleet.time.engineContext(3), ends::add);
    }
}
