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
    void agree(Stake stake, Ballot ballot, Consumer<Optional<FencingToken>> agreed) {
        FenceVotes votes = FenceVotes.of(ballot, clock.least());
        clock.saw(votes.token());
        if (ballot.isMajority(votes.known())) {
            tellThoseWhoDiffer(stake, ballot, votes);
            agreed.accept(Optional.of(votes.token()));
            return;
        }
        QuorumRound.run(
                nodes,
                (node, reply) -> node.raise(stake, votes.token(), reply),
                Fencing::confirmed,
                (confirmed, raised, all) -> agreed.accept(confirmed ? Optional.of(votes.token()) : Optional.empty()));
    }

    /** Tells a node that voted too late for the answer, so that all nodes of a lease name the same token. */
    void tell(LockNode node, Stake stake, NodeReply vote, FencingToken fence) {
        if (new FenceVotes(fence, 0).differs(vote)) {
            node.raise(stake, fence, ignored -> {});
        }
    }

    private void tellThoseWhoDiffer(Stake stake, Ballot ballot, FenceVotes votes) {
        for (int i = 0; i < nodes.size(); i++) {
            LockNode node = nodes.get(i);
            ballot.of(i).ifPresent(vote -> tell(node, stake, vote, votes.token()));
        }
    }

    private static Optional<Boolean> confirmed(Ballot ballot) {
        int raised = ballot.count(Raised.class);
        if (ballot.isMajority(raised)) {
            return Optional.of(true);
        }
        return ballot.canBeMajority(raised) ? Optional.empty() : Optional.of(false);
    }
}
