// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.session;

import static io.quorumlock.testing.FakeFleet.A;
import static io.quorumlock.testing.FakeFleet.B;
import static io.quorumlock.testing.FakeFleet.NODE_TIMEOUT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.quorumlock.lock.Acquisition;
import io.quorumlock.session.SessionEvent.SessionEndReason;
import io.quorumlock.session.Sessions.SessionTerms.WhenGone;
import io.quorumlock.testing.FakeNode.Fault;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** R5, R11: the release of a session is repeated although its client tried to return, and disconnected at once. */
class AbandonedReturnTest extends SessionFixture {

    /** The cancelled acquire adopts the votes that the release did not reach. Nobody gets its lease. */
    @Test
    void releaseIsRepeatedAfterCancelledReturn() {
        TestSession first = open(A, WhenGone.RELEASE);
        fleet.time.pass(Duration.ofSeconds(1));
        fleet.setFault(Fault.SILENT, 3, 4, 5);
        first.end(SessionEndReason.GONE);
        fleet.time.pass(NODE_TIMEOUT);
        fleet.heal();
        TestSession second = reopen();
        fleet.time.pass(Duration.ofNanos(500_000));
        second.end(SessionEndReason.GONE);
        fleet.time.pass(Duration.ofSeconds(2));
        assertEquals(0, manager.count());
        assertEquals(0, fleet.holding(), "votes that nobody holds");
        assertInstanceOf(Acquisition.Acquired.class, fleet.acquire(B));
    }
}
