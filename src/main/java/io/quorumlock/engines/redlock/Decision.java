// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redlock;

import io.quorumlock.engines.redlock.MasterReply.Adopted;
import io.quorumlock.engines.redlock.MasterReply.Deleted;
import io.quorumlock.engines.redlock.MasterReply.Exhausted;
import io.quorumlock.engines.redlock.MasterReply.Extended;
import io.quorumlock.engines.redlock.MasterReply.Failed;
import io.quorumlock.engines.redlock.MasterReply.Granted;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The decision of a round, one type for each command. A decision is empty while later replies can change it, and that no majority
 * decided is known with the last reply: the answer counts the replies.
 */
final class Decision {
    private Decision() {}

    /** The decision of an acquire. */
    enum Acquire {
        WON,
        HELD,
        TOKEN_IN_USE,
        OTHER_SLOTS,
        NO_QUORUM;

        static Optional<Acquire> decide(VoteCollector collector) {
            int votes = collector.count(MasterReply::isVote);
            if (collector.isMajority(votes)) {
                return isClear(collector) ? Optional.of(WON) : Optional.empty();
            }
            if (collector.canBeMajority(votes)) {
                return Optional.empty();
            }
            if (collector.count(MasterReply.TokenInUse.class) > 0) {
                return Optional.of(TOKEN_IN_USE);
            }
            if (collector.count(MasterReply.OtherSlots.class) > 0) {
                return Optional.of(OTHER_SLOTS);
            }
            if (!mayHoldAlready(collector) && collector.isMajority(collector.answered())) {
                return Optional.of(HELD);
            }
            return collector.outstanding() > 0 ? Optional.empty() : Optional.of(NO_QUORUM);
        }

        /** Returns whether it is known if the lease is new or an earlier one: by a majority of one kind of votes. */
        private static boolean isClear(VoteCollector collector) {
            int granted = collector.count(Granted.class);
            int adopted = collector.count(Adopted.class);
            boolean either = collector.isMajority(granted) || collector.isMajority(adopted);
            return either || !collector.canBeMajority(granted) && !collector.canBeMajority(adopted);
        }

        /** Returns whether the token may have the lock on a majority, of which some masters have not answered. */
        private static boolean mayHoldAlready(VoteCollector collector) {
            int adopted = collector.count(Adopted.class);
            return adopted > 0 && collector.canBeMajority(adopted + collector.count(Failed.class));
        }
    }

    /** The decision of an extension. Only masters that still hold the lease vote for it (R7). */
    enum Extend {
        EXTENDED,
        EXHAUSTED,
        LOST,
        UNCONFIRMED;

        static Optional<Extend> decide(VoteCollector collector) {
            int extended = votes(collector);
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
            if (collector.otherHolder().isPresent()) {
                return Optional.of(LOST);
            }
            return collector.outstanding() > 0 ? Optional.empty() : Optional.of(UNCONFIRMED);
        }

        /** Returns the number of masters that extended the same lease. */
        static int votes(VoteCollector collector) {
            return same(collector).size();
        }

        /** Returns the votes for the same lease: on the same terms, and of one slot of a semaphore. */
        static List<Extended> same(VoteCollector collector) {
            return collector.all(Extended.class).stream()
                    .collect(Collectors.groupingBy(Extended::terms))
                    .values()
                    .stream()
                    .max(Comparator.comparing(List::size))
                    .orElse(List.of());
        }
    }

    /** The decision of a release. */
    enum Release {
        RELEASED,
        NOT_HELD,
        UNCONFIRMED;

        static Optional<Release> decide(VoteCollector collector) {
            int deleted = collector.count(Deleted.class);
            if (collector.isMajority(deleted)) {
                return Optional.of(RELEASED);
            }
            if (collector.otherHolder().isPresent()) {
                return Optional.of(NOT_HELD);
            }
            if (collector.outstanding() > 0) {
                return Optional.empty();
            }
            // Neither side has a majority because masters failed: the resource is free if a majority no longer has it.
            return Optional.of(collector.isMajority(collector.answered()) ? RELEASED : UNCONFIRMED);
        }

        /** Decides on a release that keeps the resource, for which a majority must keep it. */
        static Optional<Release> decideKept(VoteCollector collector) {
            boolean kept = collector.isMajority(collector.count(Deleted.class));
            return decide(collector).map(decision -> decision == RELEASED && !kept ? UNCONFIRMED : decision);
        }
    }
}
