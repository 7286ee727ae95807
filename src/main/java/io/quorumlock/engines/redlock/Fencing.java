// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redlock;

import io.quorumlock.core.lock.FencingToken;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.engines.redlock.MasterReply.Adopted;
import io.quorumlock.engines.redlock.MasterReply.Fenced;
import io.quorumlock.engines.redlock.MasterReply.Granted;
import io.quorumlock.engines.redlock.MasterReply.Raised;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The agreement on the fencing token of a lease: a quorum stores it before the lease is returned (R10). Normally all
 * masters accept the proposed token. If some counters are larger, or if the proposal was made from old clock readings, a
 * second round raises the token on the masters.
 */
final class Fencing {
    private final List<LockMaster> masters;
    private final FencingClock clock;

    /**
     * The fencing token of a lease according to the votes of one round (R10): the largest number of all votes. Every
     * later quorum contains a master that knows it, so the next token is larger. If fewer masters than a quorum know the
     * token, it must first be raised on them. A lease that a majority granted earlier keeps the token of that majority,
     * even if the counters of other masters are larger.
     *
     * <p>A token must not have been far behind the clocks when a majority granted the lease, because a master that voted
     * for it may have lost its counter. A smaller token is raised. This includes a lease whose token no call has
     * returned yet.
     *
     * @param known number of votes with exactly this token
     */
    private record FenceVotes(FencingToken token, int known) {

        /** The age of a lease whose token needs no check. */
        private static final Duration CHECKED = Duration.ofDays(365_000);

        static FenceVotes of(VoteCollector collector, FencingClock clock) {
            boolean earlier = collector.isMajority(collector.count(Adopted.class));
            Class<? extends Fenced> counted = earlier ? Adopted.class : Fenced.class;
            boolean mayBeNew = !earlier && collector.count(Granted.class) > 0;
            List<? extends Fenced> votes = collector.all(counted);
            Duration age = mayBeNew ? Duration.ZERO : ageOfMajority(votes, collector.required());
            long largest = clock.minimum(age).number();
            for (Fenced vote : votes) {
                largest = Math.max(largest, vote.fence().number());
            }
            int known = 0;
            for (Fenced vote : collector.all(Fenced.class)) {
                if (vote.fence().number() == largest) {
                    known++;
                }
            }
            return new FenceVotes(new FencingToken(largest), known);
        }

        /** Returns the time since a majority held the lease. */
        private static Duration ageOfMajority(List<? extends Fenced> votes, int majority) {
            return votes.stream()
                    .map(vote -> vote.age().orElse(CHECKED))
                    .sorted(Comparator.reverseOrder())
                    .skip(majority - 1L)
                    .findFirst()
                    .orElse(Duration.ZERO);
        }
    }

    Fencing(List<LockMaster> masters, FencingClock clock) {
        this.masters = masters;
        this.clock = clock;
    }

    FencingToken candidate() {
        return clock.candidate();
    }

    /** Returns the time since the grant of a lease; empty if it is not known. */
    Optional<Duration> age(FencingToken token) {
        return clock.age(token);
    }

    /** Passes on the token after a quorum of masters has stored it; empty if raising it failed. */
    void agree(
            ResourceNames resources,
            LeaseToken token,
            VoteCollector collector,
            Consumer<Optional<FencingToken>> agreed) {
        FenceVotes votes = FenceVotes.of(collector, clock);
        clock.observe(votes.token());
        if (collector.isMajority(votes.known())) {
            raiseOnOtherMasters(resources, token, collector, votes.token());
            agreed.accept(Optional.of(votes.token()));
            return;
        }
        raise(
                resources,
                token,
                votes.token(),
                stored -> agreed.accept(stored ? Optional.of(votes.token()) : Optional.empty()));
    }

    /** Stores a token on the masters that have the lease, and passes on whether these are a majority. */
    void raise(ResourceNames resources, LeaseToken token, FencingToken fence, Consumer<Boolean> stored) {
        QuorumRound.run(
                masters,
                (master, reply) -> master.raise(resources, token, fence, reply),
                Fencing::confirmed,
                (confirmed, raised, all) -> stored.accept(confirmed));
    }

    /** Replaces a smaller token on a master that voted. */
    void raiseIfSmaller(
            LockMaster master, ResourceNames resources, LeaseToken token, MasterReply vote, FencingToken fence) {
        if (vote instanceof Fenced fenced && fenced.fence().compareTo(fence) < 0) {
            master.raise(resources, token, fence, ignored -> {});
        }
    }

    private void raiseOnOtherMasters(
            ResourceNames resources, LeaseToken token, VoteCollector collector, FencingToken fence) {
        for (int i = 0; i < masters.size(); i++) {
            LockMaster master = masters.get(i);
            collector.of(i).ifPresent(vote -> raiseIfSmaller(master, resources, token, vote, fence));
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
