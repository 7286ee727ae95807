package io.quorumlock.redlock;

import io.quorumlock.redlock.NodeReply.Exhausted;
import io.quorumlock.redlock.NodeReply.Extended;
import java.util.Optional;

/** Is how the votes on an extension fell: only nodes that still held the lease when asked count (R7). */
enum ExtendVerdict {
    EXTENDED,
    EXHAUSTED,
    LOST,
    UNCONFIRMED;

    static Optional<ExtendVerdict> decide(Ballot ballot) {
        int extended = ballot.count(Extended.class);
        if (ballot.isMajority(extended)) {
            return Optional.of(EXTENDED);
        }
        if (ballot.canBeMajority(extended)) {
            return Optional.empty();
        }
        int held = extended + ballot.count(Exhausted.class);
        if (ballot.isMajority(held)) {
            return Optional.of(EXHAUSTED);
        }
        if (ballot.holderInstead().isPresent()) {
            return Optional.of(LOST);
        }
        boolean open = ballot.canBeMajority(held) || ballot.canBeMajority(ballot.gone());
        return open && ballot.outstanding() > 0 ? Optional.empty() : Optional.of(UNCONFIRMED);
    }
}
