// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.session;

import static io.quorumlock.testing.FakeFleet.A;
import static io.quorumlock.testing.FakeFleet.B;
import static io.quorumlock.testing.FakeFleet.NODE_TIMEOUT;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.quorumlock.lock.Acquisition;
import io.quorumlock.session.SessionEvent.SessionEndReason;
import io.quorumlock.session.Sessions.Opening.Opened;
import io.quorumlock.session.Sessions.SessionTerms.WhenGone;
import io.quorumlock.testing.FakeNode.Fault;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** S1: a client that returns to the same replica with its token. */
class RepeatedDeletesTest extends SessionFixture {

    /**
     * Nodes 4 and 5 hang while the first session is released, so their deletes are repeated. They recover before that, and nodes 1
     * and 2 are down when the client returns.
     */
    @Test
    void repeatedDeletesSpareTheNextSession() {
        TestSession first = open(A, WhenGone.RELEASE);
        fleet.time.pass(Duration.ofSeconds(1));
        fleet.setFault(Fault.SILENT, 4, 5);
        first.end(SessionEndReason.GONE);
        fleet.time.pass(NODE_TIMEOUT);
        fleet.heal();
        fleet.setFault(Fault.DOWN, 1, 2);
        TestSession second = reopen();
        fleet.time.pass(Duration.ofSeconds(1));
        assertInstanceOf(Opened.class, second.results.get(0));
        fleet.heal();
        assertInstanceOf(Acquisition.Held.class, fleet.acquire(B), () -> "the client has " + second.results);
    }
}
