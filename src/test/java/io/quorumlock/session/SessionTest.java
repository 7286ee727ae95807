// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.session;

import static io.quorumlock.testing.FakeFleet.A;
import static io.quorumlock.testing.FakeFleet.B;
import static io.quorumlock.testing.FakeFleet.EXTENSIONS_MAX;
import static io.quorumlock.testing.FakeFleet.TTL;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.Inspection;
import io.quorumlock.session.SessionEvent.Ended;
import io.quorumlock.session.SessionEvent.Extended;
import io.quorumlock.session.SessionEvent.Lost;
import io.quorumlock.session.SessionEvent.SessionEndReason;
import io.quorumlock.session.Sessions.Opening.Opened;
import io.quorumlock.session.Sessions.Opening.Refused;
import io.quorumlock.session.Sessions.SessionTerms.WhenGone;
import io.quorumlock.testing.FakeNode.Fault;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The life of a session: it extends its lease while its client is connected, within the limits. */
class SessionTest extends SessionFixture {

    @Test
    void extendsLeaseEachThirdOfItsTtl() {
        open(A, WhenGone.EXPIRE);
        fleet.time.pass(THIRD.multipliedBy(2).plus(SOON));
        assertEquals(List.of(Opened.class, Extended.class, Extended.class), kinds());
        Extended last = (Extended) session.results.get(2);
        assertTrue(last.lease().validity().compareTo(TTL.multipliedBy(9).dividedBy(10)) > 0, last::toString);
        assertEquals(EXTENSIONS_MAX - 2, last.lease().extensionsLeft());
    }

    /** S2: the validity reported to a client, from its request on, has not ended on the nodes. */
    @Test
    void reportsTimesSinceTheRequest() {
        open(A, WhenGone.EXPIRE);
        fleet.time.pass(THIRD.plus(SOON));
        Extended told = (Extended) session.results.get(1);
        Duration deadline = told.since().plus(told.lease().validity());
        fleet.setFault(Fault.DOWN, 1, 2, 3, 4, 5);
        fleet.time.pass(deadline.minus(THIRD.plus(SOON)));
        fleet.heal();
        assertInstanceOf(Inspection.Held.class, fleet.inspect());
    }

    @Test
    void stopsExtendingWhenClientIsGone() {
        open(A, WhenGone.EXPIRE);
        fleet.time.pass(Duration.ofSeconds(1));
        session.end(SessionEndReason.GONE);
        fleet.time.pass(TTL.minus(Duration.ofMillis(1_100)));
        assertInstanceOf(Inspection.Held.class, fleet.inspect());
        fleet.time.pass(Duration.ofMillis(200));
        assertInstanceOf(Inspection.Free.class, fleet.inspect());
        assertOver(SessionEndReason.GONE);
    }

    /** R11: the votes arrive between the cancellation and its execution on the event loop. */
    @Test
    void releasesLeaseThatIsGrantedAsTheOpeningIsCancelled() {
        fleet.time.after(Duration.ofMillis(1), () -> session.end(SessionEndReason.GONE));
        open(A, WhenGone.EXPIRE);
        fleet.time.pass(SOON);
        assertEquals(0, fleet.holding());
        assertEquals(List.of(), session.results);
        assertEquals(List.of(), ends);
        assertEquals(0, manager.count());
        assertEquals(0, beats.watches());
    }

    @Test
    void releasesLeaseAtOnceWhenRequested() {
        open(A, WhenGone.RELEASE);
        fleet.time.pass(Duration.ofSeconds(1));
        session.end(SessionEndReason.GONE);
        fleet.time.pass(SOON);
        assertEquals(0, fleet.holding());
        assertOver(SessionEndReason.GONE);
    }

    /** A concurrent extension must not outlive the release. */
    @Test
    void releaseWinsOverConcurrentExtension() {
        for (int micros = 0; micros < 2_000; micros += 100) {
            open(A, WhenGone.RELEASE);
            fleet.time.pass(lease().validity().dividedBy(3).plusNanos(micros * 1_000L));
            session.end(SessionEndReason.GONE);
            fleet.time.pass(SOON);
            assertEquals(0, fleet.holding(), "disconnected " + micros + " us after the extension began");
        }
    }

    @Test
    void reportsBrokenLeaseAsLost() {
        open(A, WhenGone.EXPIRE);
        fleet.time.pass(Duration.ofSeconds(1));
        fleet.force();
        fleet.time.pass(THIRD);
        assertEquals(new Lost(SessionEndReason.LOST), last());
        assertOver(SessionEndReason.LOST);
    }

    @Test
    void retriesWithoutQuorumUntilLeaseExpires() {
        open(A, WhenGone.EXPIRE);
        fleet.time.pass(Duration.ofMillis(500));
        fleet.setFault(Fault.DOWN, 1, 2, 3);
        fleet.time.pass(lease().validity().minus(Duration.ofMillis(600)));
        assertEquals(List.of(Opened.class), kinds());
        fleet.time.pass(Duration.ofMillis(200));
        assertEquals(new Lost(SessionEndReason.UNCONFIRMED), last());
        assertOver(SessionEndReason.UNCONFIRMED);
    }

    @Test
    void extendsLeaseWhenQuorumReturnsInTime() {
        open(A, WhenGone.EXPIRE);
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
        manager = manager(Duration.ofHours(1));
        open(A, WhenGone.EXPIRE);
        fleet.time.pass(TTL.multipliedBy(2));
        Ended ended = assertInstanceOf(Ended.class, last());
        assertEquals(SessionEndReason.EXHAUSTED, ended.why());
        assertTrue(ended.left().compareTo(TTL.dividedBy(2)) > 0, ended::toString);
        assertEquals(
                EXTENSIONS_MAX, kinds().stream().filter(Extended.class::equals).count());
    }

    /** R13 */
    @Test
    void limitsDurationOfSession() {
        open(A, WhenGone.RELEASE);
        fleet.time.pass(LONGEST.plus(SOON));
        Ended ended = assertInstanceOf(Ended.class, last());
        assertEquals(SessionEndReason.LONGEST, ended.why());
        assertInstanceOf(Inspection.Held.class, fleet.inspect());
        assertOver(SessionEndReason.LONGEST);
    }

    /** S1: the end of a lease is computed from the request, even if the outcome is read late. */
    @Test
    void computesEndFromStartOfAcquire() {
        manager = manager(LONGEST, new LateAnswers(fleet.engine, fleet.time, Duration.ofSeconds(6)));
        open(A, WhenGone.EXPIRE);
        fleet.time.pass(Duration.ofSeconds(6));
        session.end(SessionEndReason.GONE);
        fleet.time.pass(SOON);
        Ended ended = assertInstanceOf(Ended.class, last());
        assertNotLater(TTL, ended.since().plus(ended.left()));
    }

    @Test
    void computesEndFromStartOfExtension() {
        manager = manager(LONGEST, new LateAnswers(fleet.engine, fleet.time, Duration.ofSeconds(2)));
        open(A, WhenGone.EXPIRE);
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
        open(A, WhenGone.EXPIRE);
        fleet.time.pass(SOON);
        Refused refused = assertInstanceOf(Refused.class, last());
        assertInstanceOf(Acquisition.Held.class, refused.why());
        assertEquals(0, manager.count());
        assertEquals(List.of(), ends);
    }
}
