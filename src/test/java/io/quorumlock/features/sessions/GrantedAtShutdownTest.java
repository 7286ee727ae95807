// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.sessions;

import static io.quorumlock.testing.FakeFleet.A;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.quorumlock.testing.FakeFleet;
import io.quorumlock.testing.SessionEvent.Refused;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** "shutting-down" means that nothing was written, also with a token chosen by the client. */
class GrantedAtShutdownTest extends SessionFixture {

    /** The replica closes its sessions in the turn of the loop between the grant and its outcome. */
    @Test
    void refusedSessionLeavesNoLease() {
        fleet.time.after(Duration.ofMillis(1), () -> sessions.end());
        session = new TestSession(sessions, FakeFleet.terms(A));
        fleet.time.pass(Duration.ofSeconds(1));
        boolean refused = assertInstanceOf(Object.class, session.events.get(0)) instanceof Refused;
        assertEquals(refused ? 0 : 5, fleet.holding(), () -> "the client has " + session.events);
    }
}
