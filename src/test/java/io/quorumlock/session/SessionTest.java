package io.quorumlock.session;

import static io.quorumlock.testing.FakeFleet.A;
import static io.quorumlock.testing.FakeFleet.B;
import static io.quorumlock.testing.FakeFleet.EXTENSIONS_MAX;
import static io.quorumlock.testing.FakeFleet.RESOURCE;
import static io.quorumlock.testing.FakeFleet.TTL;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.Inspection;
import io.quorumlock.session.SessionEvent.Begun;
import io.quorumlock.session.SessionEvent.Ended;
import io.quorumlock.session.SessionEvent.Extended;
import io.quorumlock.session.SessionEvent.Lost;
import io.quorumlock.session.SessionTerms.WhenGone;
import io.quorumlock.testing.FakeNode.Fault;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A lease lives while its client is there, and no longer than the rules let it. */
class SessionTest extends SessionFixture {

    @Test
    void aLeaseIsExtendedEachThirdOfItsTtl() {
        open(A, WhenGone.EXPIRE);
        fleet.time.pass(THIRD.multipliedBy(2).plus(SOON));
        assertEquals(List.of(Begun.class, Extended.class, Extended.class), kinds());
        Extended last = (Extended) news.get(2);
        assertTrue(last.lease().validity().compareTo(TTL.multipliedBy(9).dividedBy(10)) > 0, last::toString);
        assertEquals(EXTENSIONS_MAX - 2, last.lease().extensionsLeft());
    }

    /** S2: what a client may count on, from when it asked, has not ended on the masters. */
    @Test
    void whatIsToldIsCountedFromTheRequest() {
        open(A, WhenGone.EXPIRE);
        fleet.time.pass(THIRD.plus(SOON));
        Extended told = (Extended) news.get(1);
        Duration deadline = told.since().plus(told.lease().validity());
        fleet.suffer(Fault.DOWN, 1, 2, 3, 4, 5);
        fleet.time.pass(deadline.minus(THIRD.plus(SOON)));
        fleet.heal();
        assertInstanceOf(Inspection.Held.class, fleet.inspect());
    }

    @Test
    void whenTheClientIsGoneTheLeaseIsExtendedNoMore() {
        Sessions.Session session = open(A, WhenGone.EXPIRE);
        fleet.time.pass(Duration.ofSeconds(1));
        session.end(SessionEndReason.GONE);
        fleet.time.pass(TTL.minus(Duration.ofMillis(1_100)));
        assertInstanceOf(Inspection.Held.class, fleet.inspect());
        fleet.time.pass(Duration.ofMillis(200));
        assertInstanceOf(Inspection.Free.class, fleet.inspect());
        assertOver(SessionEndReason.GONE);
    }

    @Test
    void whoAsksForItIsReleasedAtOnceWhenGone() {
        Sessions.Session session = open(A, WhenGone.RELEASE);
        fleet.time.pass(Duration.ofSeconds(1));
        session.end(SessionEndReason.GONE);
        fleet.time.pass(SOON);
        assertEquals(0, fleet.holding());
        assertOver(SessionEndReason.GONE);
    }

    /** The extension that is under way must not outlive the release. */
    @Test
    void whateverIsUnderWayTheReleaseIsTheLast() {
        for (int micros = 0; micros < 2_000; micros += 100) {
            news.clear();
            Sessions.Session session = open(A, WhenGone.RELEASE);
            fleet.time.pass(lease().validity().dividedBy(3).plusNanos(micros * 1_000L));
            session.end(SessionEndReason.GONE);
            fleet.time.pass(SOON);
            assertEquals(0, fleet.holding(), "gone " + micros + " us after the extension began");
        }
    }

    @Test
    void aLeaseThatWasBrokenIsLost() {
        open(A, WhenGone.EXPIRE);
        fleet.time.pass(Duration.ofSeconds(1));
        fleet.force();
        fleet.time.pass(THIRD);
        assertEquals(new Lost(SessionEndReason.LOST), last());
        assertOver(SessionEndReason.LOST);
    }

    @Test
    void withoutAQuorumItIsTriedUntilTheLeaseIsOver() {
        open(A, WhenGone.EXPIRE);
        fleet.time.pass(Duration.ofMillis(500));
        fleet.suffer(Fault.DOWN, 1, 2, 3);
        fleet.time.pass(lease().validity().minus(Duration.ofMillis(600)));
        assertEquals(List.of(Begun.class), kinds());
        fleet.time.pass(Duration.ofMillis(200));
        assertEquals(new Lost(SessionEndReason.UNCONFIRMED), last());
        assertOver(SessionEndReason.UNCONFIRMED);
    }

    @Test
    void aQuorumThatComesBackInTimeIsEnough() {
        open(A, WhenGone.EXPIRE);
        fleet.time.pass(Duration.ofMillis(500));
        fleet.suffer(Fault.DOWN, 1, 2, 3);
        fleet.time.pass(Duration.ofSeconds(8));
        fleet.heal();
        fleet.time.pass(Duration.ofMillis(1_050));
        assertEquals(Extended.class, last().getClass());
    }

    /** R13 */
    @Test
    void theExtensionsOfASessionAreBoundedAsAllAre() {
        SessionManager patient = room(Duration.ofHours(1));
        patient.open(RESOURCE, terms(A, Optional.empty(), WhenGone.EXPIRE), news::add);
        fleet.time.pass(TTL.multipliedBy(2));
        Ended ended = assertInstanceOf(Ended.class, last());
        assertEquals(SessionEndReason.EXHAUSTED, ended.why());
        assertTrue(ended.left().compareTo(TTL.dividedBy(2)) > 0, ended::toString);
        assertEquals(
                EXTENSIONS_MAX, kinds().stream().filter(Extended.class::equals).count());
    }

    /** R13 */
    @Test
    void theLengthOfASessionIsBounded() {
        open(A, WhenGone.RELEASE);
        fleet.time.pass(LONGEST.plus(SOON));
        Ended ended = assertInstanceOf(Ended.class, last());
        assertEquals(SessionEndReason.LONGEST, ended.why());
        assertInstanceOf(Inspection.Held.class, fleet.inspect());
        assertOver(SessionEndReason.LONGEST);
    }

    /** S1: what is left of a lease is counted from the request, however late its answer is read. */
    @Test
    void countsTheEndFromTheAcquireNotFromItsAnswer() {
        room = room(LONGEST, new LateAnswers(fleet.engine, fleet.time, Duration.ofSeconds(6)));
        Sessions.Session session = open(A, WhenGone.EXPIRE);
        fleet.time.pass(Duration.ofSeconds(6));
        session.end(SessionEndReason.GONE);
        fleet.time.pass(SOON);
        Ended ended = assertInstanceOf(Ended.class, last());
        assertNotLater(TTL, ended.since().plus(ended.left()));
    }

    @Test
    void countsTheEndFromTheExtensionNotFromItsAnswer() {
        room = room(LONGEST, new LateAnswers(fleet.engine, fleet.time, Duration.ofSeconds(2)));
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
    void whatAnotherHoldsIsRefused() {
        fleet.acquire(B);
        open(A, WhenGone.EXPIRE);
        fleet.time.pass(SOON);
        SessionEvent.Refused refused = assertInstanceOf(SessionEvent.Refused.class, last());
        assertInstanceOf(Acquisition.Held.class, refused.why());
        assertEquals(0, room.count());
        assertEquals(List.of(), ends);
    }
}
