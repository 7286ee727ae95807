package io.quorumlock.redlock;

import io.quorumlock.redlock.NodeReply.Adopted;
import io.quorumlock.redlock.NodeReply.Granted;
import io.quorumlock.redlock.NodeReply.TokenInUse;
import java.util.Optional;

/** Is how the votes on an acquire fell. */
enum AcquireDecision {
    WON,
    HELD,
    TOKEN_IN_USE,
    NO_QUORUM;

    static Optional<AcquireDecision> decide(VoteCollector collector) {
        int votes = collector.count(NodeReplies::isVote);
        if (collector.isMajority(votes)) {
            return isClear(collector) ? Optional.of(WON) : Optional.empty();
        }
        if (collector.canBeMajority(votes)) {
            return Optional.empty();
        }
        if (collector.count(TokenInUse.class) > 0) {
            return Optional.of(TOKEN_IN_USE);
        }
        if (collector.isMajority(collector.answered())) {
            return Optional.of(HELD);
        }
        return collector.canBeMajority(collector.answered()) ? Optional.empty() : Optional.of(NO_QUORUM);
    }

    /** Waits where new and adopted votes mix: whether the lease is new or an earlier one is for a majority to say. */
    private static boolean isClear(VoteCollector collector) {
        int granted = collector.count(Granted.class);
        int adopted = collector.count(Adopted.class);
        boolean either = collector.isMajority(granted) || collector.isMajority(adopted);
        return either || !collector.canBeMajority(granted) && !collector.canBeMajority(adopted);
    }
}
