// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.session;

import static io.quorumlock.testing.FakeFleet.A;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.quorumlock.session.Sessions.Opening.Refused;
import io.quorumlock.session.Sessions.SessionTerms.WhenGone;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** "shutting-down" means that nothing was written, also with a token chosen by the client. */
class GrantedAtShutdownTest extends SessionFixture {

    /** The replica closes its sessions in the turn of the loop between the grant and its outcome. */
    @Test
    void refusedSessionLeavesNoLease() {
        fleet.time.after(Duration.ofMillis(1), () -> manager.close());
        session = new TestSession(manager, terms(A, Optional.empty(), WhenGone.RELEASE));
        fleet.time.pass(Duration.ofSeconds(1));
        boolean refused = assertInstanceOf(Object.class, session.results.get(0)) instanceof Refused;
        assertEquals(refused ? 0 : 5, fleet.holding(), () -> "the client has " + session.results);
    }
}
