package io.quorumlock.redlock;

import static io.quorumlock.testing.FakeFleet.NODE_TIMEOUT;
import static io.quorumlock.testing.FakeFleet.RESOURCE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.lock.LeaseToken;
import io.quorumlock.testing.FakeNode;
import io.quorumlock.testing.VirtualTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** R14: what is kept for a node that stays away is bounded, and a silent node is not flooded. */
class LeftoversTest {
    private static final int MOST = 10_000;

    private final VirtualTime time = new VirtualTime();
    private final FakeNode node = new FakeNode("node-1", time, NODE_TIMEOUT, 1);
    private final Leftovers leftovers = new Leftovers(node, MOST, time.surroundings(1));

    @Test
    void theOldestAreLeftToTheirTtlWhereThereAreTooMany() {
        node.suffer(FakeNode.Fault.DOWN);
        add(10_050);
        assertEquals(MOST, leftovers.size());
    }

    /** What was tried in vain comes back to a queue that has filled up meanwhile. */
    @Test
    void whatComesBackCountsAsWell() {
        node.suffer(FakeNode.Fault.SILENT);
        add(MOST);
        time.pass(Duration.ofMillis(30));
        add(MOST);
        time.pass(Duration.ofSeconds(1));
        assertEquals(MOST, leftovers.size());
    }

    @Test
    void aSilentNodeGetsOneLotAtATime() {
        node.suffer(FakeNode.Fault.SILENT);
        add(1_000);
        time.pass(Duration.ofSeconds(1));
        assertTrue(node.commands() <= 5 * 64, "sent " + node.commands());
    }

    @Test
    void aNodeThatIsBackGetsAllOfThem() {
        node.suffer(FakeNode.Fault.DOWN);
        add(1_000);
        time.pass(Duration.ofSeconds(3));
        node.suffer(FakeNode.Fault.NONE);
        time.pass(Duration.ofSeconds(1));
        assertEquals(0, leftovers.size());
    }

    private void add(int count) {
        for (int i = 0; i < count; i++) {
            Stake stake = Stake.ofLease(RESOURCE, new LeaseToken("token-number-" + (100_000 + i)));
            leftovers.add(stake, time.now().plus(Duration.ofSeconds(60)));
        }
    }
}
