package io.quorumlock.redlock;

import io.quorumlock.lock.FencingToken;
import io.quorumlock.redlock.NodeReply.Raised;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Makes the fencing token of a lease known to a quorum before it is answered (R10). Normally all nodes take the number that
 * was proposed and nothing is to be done; where the counters of some are beyond it, or the proposal was made by clocks that
 * had not been read for long, a second round raises it.
 */
final class Fencing {
    private final List<LockNode> nodes;
    private final FencingClock clock;

    Fencing(List<LockNode> nodes, FencingClock clock) {
        this.nodes = nodes;
        this.clock = clock;
    }

    FencingToken candidate() {
        return clock.candidate();
    }

    /** Finds the token on which the votes agree, or makes them; nothing where no quorum could be made to know it. */
    void agree(DeleteCondition condition, VoteCollector collector, Consumer<Optional<FencingToken>> agreed) {
        FenceVotes votes = FenceVotes.of(collector, clock.least());
        clock.saw(votes.token());
        if (collector.isMajority(votes.known())) {
            tellThoseWhoDiffer(condition, collector, votes);
            agreed.accept(Optional.of(votes.token()));
            return;
        }
        QuorumRound.run(
                nodes,
                (node, reply) -> node.raise(condition, votes.token(), reply),
                Fencing::confirmed,
                (confirmed, raised, all) -> agreed.accept(confirmed ? Optional.of(votes.token()) : Optional.empty()));
    }

    /** Tells a node that voted too late for the answer, so that all nodes of a lease name the same token. */
    void tell(LockNode node, DeleteCondition condition, NodeReply vote, FencingToken fence) {
        if (new FenceVotes(fence, 0).differs(vote)) {
            node.raise(condition, fence, ignored -> {});
        }
    }

    private void tellThoseWhoDiffer(DeleteCondition condition, VoteCollector collector, FenceVotes votes) {
        for (int i = 0; i < nodes.size(); i++) {
            LockNode node = nodes.get(i);
            collector.of(i).ifPresent(vote -> tell(node, condition, vote, votes.token()));
        }
    }

    private static Optional<Boolean> confirmed(VoteCollector collector) {
        int raised = collector.count(Raised.class);
        if (collector.isMajority(raised)) {
            return Optional.of(true);
        }
        return collector.canBeMajority(raised) ? Optional.empty() : Optional.of(false);
    }
}
