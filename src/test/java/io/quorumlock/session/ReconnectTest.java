// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.session;

import static io.quorumlock.testing.FakeFleet.A;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.quorumlock.session.SessionEvent.Ended;
import io.quorumlock.session.SessionEvent.Extended;
import io.quorumlock.session.SessionEvent.SessionEndReason;
import io.quorumlock.session.Sessions.Opening.Opened;
import io.quorumlock.session.Sessions.SessionTerms.WhenGone;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Clients that reconnect with the same token. */
class ReconnectTest extends SessionFixture {
    @Test
    void reconnectReplacesEarlierSession() {
        open(A, WhenGone.RELEASE);
        fleet.time.pass(Duration.ofSeconds(1));
        TestSession again = reopen();
        fleet.time.pass(SOON);
        assertEquals(
                SessionEndReason.REPLACED, assertInstanceOf(Ended.class, last()).why());
        assertEquals(lease().fence(), again.lease().fence());
        assertInstanceOf(Extended.class, again.results.get(1));
        assertEquals(1, manager.count());
    }

    /** S1: the end of the first session must not delete the lease of the second. */
    @Test
    void keepsLeaseOfReconnectWhenFirstConnectionEnds() {
        for (int micros = 0; micros < 3_000; micros += 100) {
            TestSession first = open(A, WhenGone.RELEASE);
            fleet.time.pass(Duration.ofSeconds(1));
            TestSession second = reopen();
            fleet.time.pass(Duration.ofNanos(micros * 1_000L));
            first.end(SessionEndReason.GONE);
            fleet.time.pass(SOON);
            assertInstanceOf(Opened.class, second.results.get(0));
            assertEquals(5, fleet.holding(), "disconnected " + micros + " us after the reconnect");
            second.end(SessionEndReason.GONE);
            fleet.time.pass(SOON);
            assertEquals(0, fleet.holding());
        }
    }

    @Test
    void reconnectAcquiresAfterFirstRelease() {
        for (int micros = 0; micros < 3_000; micros += 100) {
            TestSession first = open(A, WhenGone.RELEASE);
            fleet.time.pass(Duration.ofSeconds(1));
            fleet.node(1).answerAfter(Duration.ofMillis(5));
            first.end(SessionEndReason.GONE);
            fleet.time.pass(Duration.ofNanos(micros * 1_000L));
            TestSession second = reopen();
            fleet.time.pass(SOON);
            assertInstanceOf(Opened.class, second.results.get(0));
            assertEquals(5, fleet.holding(), "reconnected " + micros + " us after the end");
            second.end(SessionEndReason.GONE);
            fleet.time.pass(SOON);
            assertEquals(0, fleet.holding());
        }
    }

    /** The client of the second session disconnects as well, so the release for the first is due. */
    @Test
    void releasesLeaseWhenReconnectIsCancelled() {
        for (int micros = 0; micros < 3_000; micros += 100) {
            TestSession first = open(A, WhenGone.RELEASE);
            fleet.time.pass(Duration.ofSeconds(1));
            TestSession second = reopen();
            first.end(SessionEndReason.GONE);
            fleet.time.pass(Duration.ofNanos(micros * 1_000L));
            second.end(SessionEndReason.GONE);
            fleet.time.pass(SOON);
            assertEquals(0, fleet.holding(), "cancelled " + micros + " us after the reconnect");
            assertEquals(0, manager.count());
        }
    }
}
