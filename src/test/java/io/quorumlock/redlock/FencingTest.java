package io.quorumlock.redlock;

import static io.quorumlock.testing.FakeFleet.A;
import static io.quorumlock.testing.FakeFleet.B;
import static io.quorumlock.testing.FakeFleet.RESOURCE;
import static io.quorumlock.testing.FakeFleet.TTL;
import static io.quorumlock.testing.FakeFleet.terms;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.lock.AcquireTerms;
import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.Extension;
import io.quorumlock.lock.FencingToken;
import io.quorumlock.lock.Inspection;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.testing.Ask;
import io.quorumlock.testing.FakeFleet;
import io.quorumlock.testing.FakeNode.Fault;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** R10: fencing tokens of one resource grow in the order of grants. */
class FencingTest {
    private final FakeFleet fleet = new FakeFleet(5);

    @Test
    void everyGrantIsLargerThanTheLast() {
        long last = 0;
        for (int i = 0; i < 20; i++) {
            long fence = grantTo(A);
            assertTrue(fence > last, fence + " after " + last);
            last = fence;
            fleet.release(A);
        }
    }

    @Test
    void oneRoundIsEnoughWhereTheNodesAgree() {
        grantTo(A);
        assertEquals(1, fleet.node(1).commands());
    }

    /** Different nodes missed different grants: the next quorum must still know the largest. */
    @Test
    void tokensGrowThoughEveryGrantHasAnotherMajority() {
        long last = 0;
        int[][] minorities = {{1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 1}, {1, 3}, {2, 4}, {3, 5}};
        for (int[] away : minorities) {
            fleet.suffer(Fault.DOWN, away);
            long fence = grantTo(A);
            assertTrue(fence > last, fence + " after " + last);
            last = fence;
            fleet.release(A);
            fleet.heal();
            fleet.time.pass(Duration.ofSeconds(2));
        }
    }

    /** Only one node's counter is beyond the candidate: its grant must still be smaller than the next one without that node. */
    @Test
    void aTokenThatTooFewKnowIsRaisedBeforeTheAnswer() {
        countOnNodeOneAlone();
        long first = grantTo(A);
        fleet.release(A);
        fleet.suffer(Fault.DOWN, 1);
        assertTrue(grantTo(B) > first);
    }

    @Test
    void aLeaseWhoseTokenNoQuorumCanBeMadeToKnowIsNotGiven() {
        countOnNodeOneAlone();
        fleet.nodes.forEach(node -> node.answerAfter(Duration.ofMillis(10)));
        CompletableFuture<Acquisition> answer = fleet.engine.acquire(RESOURCE, terms(A));
        fleet.time.pass(Duration.ofMillis(9));
        fleet.suffer(Fault.SILENT, 1, 2, 3);
        assertInstanceOf(Acquisition.NoQuorum.class, fleet.await(answer));
    }

    @Test
    void theLeaseKeepsItsTokenInReplayExtensionAndInspection() {
        fleet.suffer(Fault.DOWN, 1, 2);
        long fence = grantTo(A);
        fleet.heal();
        Acquisition.Replayed again = assertInstanceOf(Acquisition.Replayed.class, fleet.acquire(A));
        Extension.Extended extended = assertInstanceOf(Extension.Extended.class, fleet.extend(A));
        Inspection.Held held = assertInstanceOf(Inspection.Held.class, fleet.inspect());
        assertEquals(fence, again.lease().fence().number());
        assertEquals(fence, extended.lease().fence().number());
        assertEquals(Optional.of(extended.lease().fence()), held.fence());
    }

    @Test
    void tokensGrowThoughAMinorityForgot() {
        long before = grantTo(A);
        fleet.release(A);
        fleet.node(1).forget();
        fleet.node(2).forget();
        assertTrue(grantTo(B) > before);
    }

    @Test
    void aReplicaNeverProposesLessThanItHasSeen() {
        FencingClock clock = new FencingClock(() -> Instant.ofEpochMilli(1_000));
        clock.saw(new FencingToken(5_000_000));
        assertEquals(5_000_001, clock.candidate().number());
        assertEquals(5_000_002, clock.candidate().number());
    }

    /** As where the clock of another replica is years ahead, and it reached no other node. */
    private void countOnNodeOneAlone() {
        AcquireTerms terms = new AcquireTerms(TTL, Optional.of(B), Optional.empty());
        Ask.acquire(RESOURCE, B, "ahead.1", new FencingToken(2_000_000_000_000_000L), terms)
                .put(fleet.node(1), reply -> {});
        Ask.release(RESOURCE, B).put(fleet.node(1), reply -> {});
        fleet.time.pass(Duration.ofMillis(1));
    }

    private long grantTo(LeaseToken token) {
        Acquisition acquisition = fleet.await(fleet.engine.acquire(RESOURCE, terms(token, TTL)));
        return assertInstanceOf(Acquisition.Acquired.class, acquisition)
                .lease()
                .fence()
                .number();
    }
}
