package io.quorumlock.redlock;

import io.quorumlock.redlock.NodeReply.Exhausted;
import io.quorumlock.redlock.NodeReply.Extended;
import java.util.Optional;

/** Is how the votes on an extension fell: only nodes that still held the lease when asked count (R7). */
enum ExtendDecision {
    EXTENDED,
    EXHAUSTED,
    LOST,
    UNCONFIRMED;

    static Optional<ExtendDecision> decide(VoteCollector collector) {
        int extended = collector.count(Extended.class);
        if (collector.isMajority(extended)) {
            return Optional.of(EXTENDED);
        }
        if (collector.canBeMajority(extended)) {
            return Optional.empty();
        }
        int held = extended + collector.count(Exhausted.class);
        if (collector.isMajority(held)) {
            return Optional.of(EXHAUSTED);
        }
        if (collector.holderInstead().isPresent()) {
            return Optional.of(LOST);
        }
        boolean open = collector.canBeMajority(held) || collector.canBeMajority(collector.gone());
        return open && collector.outstanding() > 0 ? Optional.empty() : Optional.of(UNCONFIRMED);
    }
}
