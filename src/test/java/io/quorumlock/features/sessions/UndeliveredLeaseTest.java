// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.sessions;

import static io.quorumlock.testing.FakeFleet.A;
import static io.quorumlock.testing.FakeFleet.TTL;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.quorumlock.core.lock.AcquireTerms;
import io.quorumlock.core.lock.Inspection;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.features.sessions.SessionClient.SessionEndReason;
import io.quorumlock.testing.Proves;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** R11: sessions whose client never got the lease. */
@Proves("R11")
class UndeliveredLeaseTest extends SessionFixture {

    /** The connection ends between the opening and its first event, so nobody knows the generated token. */
    @Test
    void isReleasedIfTokenWasGenerated() {
        session = new TestSession(sessions, withGeneratedToken());
        fleet.time.pass(SOON);
        assertEquals(5, fleet.holding());
        session.end(SessionEndReason.UNDELIVERED);
        fleet.time.pass(SOON);
        assertEquals(0, fleet.holding());
        assertOver(SessionEndReason.UNDELIVERED);
    }

    /** The client may have repeated the request on another connection. */
    @Test
    void isKeptIfClientChoseToken() {
        open(A);
        session.end(SessionEndReason.UNDELIVERED);
        fleet.time.pass(SOON);
        assertInstanceOf(Inspection.Held.class, fleet.inspect());
        assertOver(SessionEndReason.UNDELIVERED);
    }

    /** The votes arrive between the end of the connection and its execution on the event loop. */
    @Test
    void isReleasedIfClientLeavesDuringTheGrant() {
        fleet.time.after(Duration.ofMillis(1), () -> session.end(SessionEndReason.UNDELIVERED));
        session = new TestSession(sessions, withGeneratedToken());
        fleet.time.pass(SOON);
        assertEquals(0, fleet.holding());
        assertEquals(0, sessions.count());
    }

    private static AcquireTerms withGeneratedToken() {
        return new AcquireTerms(TTL, Duration.ZERO, Optional.empty(), Optional.empty(), LockKind.EXCLUSIVE);
    }
}
