package io.quorumlock.redlock;

import io.quorumlock.redlock.NodeReply.Adopted;
import io.quorumlock.redlock.NodeReply.Granted;
import io.quorumlock.redlock.NodeReply.TokenInUse;
import java.util.Optional;

/** Is how the votes on an acquire fell. */
enum AcquireVerdict {
    WON,
    HELD,
    TOKEN_IN_USE,
    NO_QUORUM;

    static Optional<AcquireVerdict> decide(Ballot ballot) {
        int votes = ballot.count(NodeReplies::isVote);
        if (ballot.isMajority(votes)) {
            return isClear(ballot) ? Optional.of(WON) : Optional.empty();
        }
        if (ballot.canBeMajority(votes)) {
            return Optional.empty();
        }
        if (ballot.count(TokenInUse.class) > 0) {
            return Optional.of(TOKEN_IN_USE);
        }
        if (ballot.isMajority(ballot.answered())) {
            return Optional.of(HELD);
        }
        return ballot.canBeMajority(ballot.answered()) ? Optional.empty() : Optional.of(NO_QUORUM);
    }

    /** Waits where new and adopted votes mix: whether the lease is new or an earlier one is for a majority to say. */
    private static boolean isClear(Ballot ballot) {
        int granted = ballot.count(Granted.class);
        int adopted = ballot.count(Adopted.class);
        boolean either = ballot.isMajority(granted) || ballot.isMajority(adopted);
        return either || !ballot.canBeMajority(granted) && !ballot.canBeMajority(adopted);
    }
}
