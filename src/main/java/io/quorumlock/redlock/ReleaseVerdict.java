package io.quorumlock.redlock;

import io.quorumlock.redlock.NodeReply.Deleted;
import java.util.Optional;

/** Is how the votes on a release fell. */
enum ReleaseVerdict {
    RELEASED,
    NOT_HELD,
    UNCONFIRMED;

    static Optional<ReleaseVerdict> decide(Ballot ballot) {
        int deleted = ballot.count(Deleted.class);
        if (ballot.isMajority(deleted)) {
            return Optional.of(RELEASED);
        }
        if (ballot.holderInstead().isPresent()) {
            return Optional.of(NOT_HELD);
        }
        if (ballot.outstanding() > 0 && ballot.canBeMajority(ballot.answered())) {
            return Optional.empty();
        }
        // Neither side has a majority because nodes failed: the resource is free if a majority no longer has it.
        return Optional.of(ballot.isMajority(ballot.answered()) ? RELEASED : UNCONFIRMED);
    }
}
