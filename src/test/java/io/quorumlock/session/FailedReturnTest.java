// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.session;

import static io.quorumlock.testing.FakeFleet.A;
import static io.quorumlock.testing.FakeFleet.B;
import static io.quorumlock.testing.FakeFleet.NODE_TIMEOUT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.quorumlock.lock.Acquisition;
import io.quorumlock.session.SessionEvent.SessionEndReason;
import io.quorumlock.session.Sessions.Opening.Refused;
import io.quorumlock.session.Sessions.SessionTerms.WhenGone;
import io.quorumlock.testing.FakeNode.Fault;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The release of a session that ended while most nodes hang: it is repeated until they have recovered. */
class FailedReturnTest extends SessionFixture {

    @Test
    void releaseIsRepeated() {
        endWhileThreeNodesHang();
        fleet.heal();
        fleet.time.pass(Duration.ofSeconds(2));
        assertInstanceOf(Acquisition.Acquired.class, fleet.acquire(B));
    }

    /** The client tries to return meanwhile, and is refused. */
    @Test
    void releaseIsRepeatedAlthoughTheClientTriedToReturn() {
        endWhileThreeNodesHang();
        TestSession second = reopen();
        fleet.time.pass(NODE_TIMEOUT.multipliedBy(3));
        assertInstanceOf(Refused.class, second.last());
        assertEquals(0, manager.count());
        fleet.heal();
        fleet.time.pass(Duration.ofSeconds(2));
        assertInstanceOf(Acquisition.Acquired.class, fleet.acquire(B));
    }

    private void endWhileThreeNodesHang() {
        TestSession first = open(A, WhenGone.RELEASE);
        fleet.time.pass(Duration.ofSeconds(1));
        fleet.setFault(Fault.SILENT, 3, 4, 5);
        first.end(SessionEndReason.GONE);
        fleet.time.pass(NODE_TIMEOUT.multipliedBy(2));
    }
}
