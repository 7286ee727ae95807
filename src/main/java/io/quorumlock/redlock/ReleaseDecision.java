package io.quorumlock.redlock;

import io.quorumlock.redlock.NodeReply.Deleted;
import java.util.Optional;

/** Is how the votes on a release fell. */
enum ReleaseDecision {
    RELEASED,
    NOT_HELD,
    UNCONFIRMED;

    static Optional<ReleaseDecision> decide(VoteCollector collector) {
        int deleted = collector.count(Deleted.class);
        if (collector.isMajority(deleted)) {
            return Optional.of(RELEASED);
        }
        if (collector.holderInstead().isPresent()) {
            return Optional.of(NOT_HELD);
        }
        if (collector.outstanding() > 0 && collector.canBeMajority(collector.answered())) {
            return Optional.empty();
        }
        // Neither side has a majority because nodes failed: the resource is free if a majority no longer has it.
        return Optional.of(collector.isMajority(collector.answered()) ? RELEASED : UNCONFIRMED);
    }
}
