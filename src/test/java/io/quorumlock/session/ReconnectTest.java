package io.quorumlock.session;

import static io.quorumlock.testing.FakeFleet.A;
import static io.quorumlock.testing.FakeFleet.RESOURCE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.quorumlock.session.SessionEvent.Begun;
import io.quorumlock.session.SessionEvent.Ended;
import io.quorumlock.session.SessionEvent.Extended;
import io.quorumlock.session.SessionTerms.WhenGone;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A client whose connection broke comes again, with the same token. */
class ReconnectTest extends SessionFixture {
    @Test
    void aClientThatComesAgainTakesItsSessionOver() {
        open(A, WhenGone.RELEASE);
        fleet.time.pass(Duration.ofSeconds(1));
        List<SessionEvent> again = new ArrayList<>();
        room.open(RESOURCE, terms(A, Optional.empty(), WhenGone.RELEASE), again::add);
        fleet.time.pass(SOON);
        assertEquals(
                SessionEndReason.REPLACED, assertInstanceOf(Ended.class, last()).why());
        assertEquals(lease().fence(), ((Begun) again.get(0)).lease().fence());
        assertInstanceOf(Extended.class, again.get(1));
        assertEquals(1, room.count());
    }

    /** S1: the end of the first session must not take the lease that the second was told of. */
    @Test
    void keepsTheLeaseOfAReconnectWhenTheFirstConnectionEnds() {
        for (int micros = 0; micros < 3_000; micros += 100) {
            Sessions.Session first = open(A, WhenGone.RELEASE);
            fleet.time.pass(Duration.ofSeconds(1));
            List<SessionEvent> again = new ArrayList<>();
            Sessions.Session second = reopen(again);
            fleet.time.pass(Duration.ofNanos(micros * 1_000L));
            first.end(SessionEndReason.GONE);
            fleet.time.pass(SOON);
            assertInstanceOf(Begun.class, again.get(0));
            assertEquals(5, fleet.holding(), "gone " + micros + " us after the reconnect");
            second.end(SessionEndReason.GONE);
            fleet.time.pass(SOON);
            assertEquals(0, fleet.holding());
        }
    }

    @Test
    void aReconnectAcquiresAfterTheReleaseOfTheFirst() {
        for (int micros = 0; micros < 3_000; micros += 100) {
            Sessions.Session first = open(A, WhenGone.RELEASE);
            fleet.time.pass(Duration.ofSeconds(1));
            fleet.node(1).answerAfter(Duration.ofMillis(5));
            first.end(SessionEndReason.GONE);
            fleet.time.pass(Duration.ofNanos(micros * 1_000L));
            List<SessionEvent> again = new ArrayList<>();
            Sessions.Session second = reopen(again);
            fleet.time.pass(SOON);
            assertInstanceOf(Begun.class, again.get(0));
            assertEquals(5, fleet.holding(), "back " + micros + " us after the end");
            second.end(SessionEndReason.GONE);
            fleet.time.pass(SOON);
            assertEquals(0, fleet.holding());
        }
    }

    /** The client of the second session leaves as well: what the first has promised is still due. */
    @Test
    void releasesTheLeaseWhenTheReconnectIsGivenUp() {
        for (int micros = 0; micros < 3_000; micros += 100) {
            Sessions.Session first = open(A, WhenGone.RELEASE);
            fleet.time.pass(Duration.ofSeconds(1));
            Sessions.Session second = reopen(new ArrayList<>());
            first.end(SessionEndReason.GONE);
            fleet.time.pass(Duration.ofNanos(micros * 1_000L));
            second.end(SessionEndReason.GONE);
            fleet.time.pass(SOON);
            assertEquals(0, fleet.holding(), "given up " + micros + " us after the reconnect");
            assertEquals(0, room.count());
        }
    }
}
