// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.sessions;

import static io.quorumlock.testing.FakeFleet.A;
import static io.quorumlock.testing.FakeFleet.B;
import static io.quorumlock.testing.FakeFleet.EXTENSIONS_MAX;
import static io.quorumlock.testing.FakeFleet.TTL;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.Inspection;
import io.quorumlock.features.sessions.SessionClient.SessionEndReason;
import io.quorumlock.testing.FakeMaster.Fault;
import io.quorumlock.testing.Proves;
import io.quorumlock.testing.SessionEvent.Began;
import io.quorumlock.testing.SessionEvent.Ended;
import io.quorumlock.testing.SessionEvent.Extended;
import io.quorumlock.testing.SessionEvent.Lost;
import io.quorumlock.testing.SessionEvent.Refused;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** The life of a session: it extends its lease while its client is connected, within the limits. */
@Proves("R13")
class SessionTest extends SessionFixture {

    @Test
    void extendsLeaseEachThirdOfItsTtl() {
        open(A);
        fleet.time.pass(THIRD.multipliedBy(2).plus(SOON));
        assertEquals(List.of(Began.class, Extended.class, Extended.class), session.kinds());
        Extended last = (Extended) session.events.get(2);
        assertTrue(last.lease().validity().compareTo(TTL.multipliedBy(9).dividedBy(10)) > 0, last::toString);
        assertEquals(OptionalInt.of(EXTENSIONS_MAX - 2), last.lease().extensionsLeft());
    }

    /** S2: the validity reported to a client, from its request on, has not ended on the masters. */
    @Test
    void reportsTimesSinceTheRequest() {
        open(A);
        fleet.time.pass(THIRD.plus(SOON));
        Extended told = (Extended) session.events.get(1);
        Duration deadline = told.since().plus(told.lease().validity());
        fleet.setFault(Fault.DOWN, 1, 2, 3, 4, 5);
        fleet.time.pass(deadline.minus(THIRD.plus(SOON)));
        fleet.heal();
        assertInstanceOf(Inspection.Held.class, fleet.inspect());
    }

    @Test
    void stopsExtendingWhenClientIsGone() {
        open(A);
        fleet.time.pass(Duration.ofSeconds(1));
        session.end(SessionEndReason.GONE);
        fleet.time.pass(TTL.minus(Duration.ofMillis(1_100)));
        assertInstanceOf(Inspection.Held.class, fleet.inspect());
        fleet.time.pass(Duration.ofMillis(200));
        assertInstanceOf(Inspection.Free.class, fleet.inspect());
        assertOver(SessionEndReason.GONE);
    }

    @Test
    void reportsBrokenLeaseAsLost() {
        open(A);
        fleet.time.pass(Duration.ofSeconds(1));
        fleet.force();
        fleet.time.pass(THIRD);
        assertEquals(new Lost(SessionEndReason.LOST), last());
        assertOver(SessionEndReason.LOST);
    }

    @Test
    void retriesWithoutQuorumUntilLeaseExpires() {
        open(A);
        fleet.time.pass(Duration.ofMillis(500));
        fleet.setFault(Fault.DOWN, 1, 2, 3);
        fleet.time.pass(session.lease().validity().minus(Duration.ofMillis(600)));
        assertEquals(List.of(Began.class), session.kinds());
        fleet.time.pass(Duration.ofMillis(200));
        assertEquals(new Lost(SessionEndReason.UNCONFIRMED), last());
        assertOver(SessionEndReason.UNCONFIRMED);
    }

    @Test
    void extendsLeaseWhenQuorumReturnsInTime() {
        open(A);
        fleet.time.pass(Duration.ofMillis(500));
        fleet.setFault(Fault.DOWN, 1, 2, 3);
        fleet.time.pass(Duration.ofSeconds(8));
        fleet.heal();
        fleet.time.pass(Duration.ofMillis(1_050));
        assertEquals(Extended.class, last().getClass());
    }

    /** R13 */
    @Test
    void limitsExtensionsOfSession() {
        open(A);
        fleet.time.pass(TTL.multipliedBy(2));
        Ended ended = assertInstanceOf(Ended.class, last());
        assertEquals(SessionEndReason.EXHAUSTED, ended.why());
        assertTrue(ended.left().compareTo(TTL.dividedBy(2)) > 0, ended::toString);
        assertEquals(
                EXTENSIONS_MAX,
                session.kinds().stream().filter(Extended.class::equals).count());
    }

    /** S1: the end of a lease is computed from the request, even if the outcome is read late. */
    @Test
    void computesEndFromStartOfAcquire() {
        sessions = sessions(new LateAnswers(fleet.engine, fleet.time, Duration.ofSeconds(6)));
        open(A);
        fleet.time.pass(Duration.ofSeconds(6));
        session.end(SessionEndReason.GONE);
        fleet.time.pass(SOON);
        Ended ended = assertInstanceOf(Ended.class, last());
        assertNotLater(TTL, ended.since().plus(ended.left()));
    }

    @Test
    void computesEndFromStartOfExtension() {
        sessions = sessions(new LateAnswers(fleet.engine, fleet.time, Duration.ofSeconds(2)));
        open(A);
        fleet.time.pass(Duration.ofSeconds(8));
        Extended extended = assertInstanceOf(Extended.class, last());
        Duration sent = Duration.ofSeconds(2).plus(TTL.minusSeconds(2).dividedBy(3));
        assertNotLater(sent.plus(TTL), extended.since().plus(extended.lease().validity()));
    }

    private static void assertNotLater(Duration most, Duration actual) {
        assertTrue(actual.compareTo(most) <= 0, () -> actual + " after " + most);
    }

    @Test
    void refusesSessionForHeldLock() {
        fleet.acquire(B);
        open(A);
        fleet.time.pass(SOON);
        Refused refused = assertInstanceOf(Refused.class, last());
        assertInstanceOf(Acquisition.Held.class, refused.why());
        assertEquals(0, sessions.count());
        assertEquals(List.of(), ends);
    }
}
