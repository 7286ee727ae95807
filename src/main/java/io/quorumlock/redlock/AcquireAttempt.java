package io.quorumlock.redlock;

import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.FencingToken;
import io.quorumlock.lock.Lease;
import io.quorumlock.lock.ValidityShortage;
import io.quorumlock.time.MonotonicTime;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Is one attempt to acquire: from the clock sample to the answer, and the clean-up if the answer is no. */
final class AcquireAttempt implements QuorumRound.Listener<AcquireDecision> {
    private final AcquireCommand claim;
    private final AttemptContext workshop;
    private final Predicate<Outcome> answer;
    private final MonotonicTime started;
    private boolean abandoned;
    private boolean inVain;
    /** Counts the replies and the clean-ups that are outstanding. */
    private int unsettled;
    /** Answers somebody who waits: the next attempt of the same token must not adopt what this one leaves. */
    private Optional<Runnable> whenNothingIsLeft = Optional.empty();

    private Optional<Runnable> postponed = Optional.empty();
    private Optional<FencingToken> agreed = Optional.empty();
    private MonotonicTime decided;

    /** Is the answer and the time that it took. */
    record Outcome(Acquisition acquisition, Duration elapsed, boolean split) {}

    /** @param answer hears the outcome, and says whether the caller is still there to take it (R11) */
    AcquireAttempt(AcquireCommand claim, AttemptContext workshop, Predicate<Outcome> answer) {
        this.claim = claim;
        this.workshop = workshop;
        this.answer = answer;
        this.started = workshop.clock().now();
    }

    void run(List<LockNode> nodes) {
        QuorumRound.run(nodes, (node, reply) -> node.acquire(claim, reply), AcquireDecision::decide, this);
    }

    @Override
    public void decided(AcquireDecision verdict, VoteCollector collector, List<LockNode> nodes) {
        decided = workshop.clock().now();
        AcquireVotes votes = new AcquireVotes(claim.terms().ttl(), collector);
        if (verdict == AcquireDecision.WON) {
            workshop.fencing().agree(claim.condition(), collector, fence -> {
                agreed = fence;
                finish(won(votes, fence), votes, nodes);
            });
        } else {
            finish(lost(verdict, votes), votes, nodes);
        }
    }

    @Override
    public void late(LockNode node, NodeReply reply) {
        if (abandoned) {
            deleteOwnValue(node, reply);
            settled();
        } else if (postponed.isPresent()) {
            postponed.get().run();
        } else {
            agreed.ifPresent(fence -> workshop.fencing().tell(node, claim.condition(), reply, fence));
        }
    }

    private void finish(Acquisition acquisition, AcquireVotes votes, List<LockNode> nodes) {
        if (acquisition instanceof Acquisition.TooShort tooShort && tooShort.wasHeld()) {
            giveUp(tooShort, votes.collector(), nodes);
            return;
        }
        boolean held = acquisition instanceof Acquisition.Held;
        inVain = held && !votes.mayBeMajority();
        boolean leased = acquisition instanceof Acquisition.Acquired || acquisition instanceof Acquisition.Replayed;
        if (!leased && claim.terms().mayBeTriedAgain()) {
            whenNothingIsLeft = Optional.of(() -> tell(held ? held(votes) : acquisition, votes));
            abandon(votes.collector(), nodes);
        } else if (!tell(acquisition, votes) || !leased) {
            abandon(votes.collector(), nodes);
        }
    }

    private boolean tell(Acquisition acquisition, AcquireVotes votes) {
        boolean split = acquisition instanceof Acquisition.Held held && held.split();
        return answer.test(new Outcome(acquisition, elapsed(), split));
    }

    /**
     * Ends an earlier lease of the same token. All nodes are heard first: what this attempt would adopt after the answer
     * could by then belong to a lease of a later one.
     */
    private void giveUp(Acquisition.TooShort tooShort, VoteCollector collector, List<LockNode> nodes) {
        if (collector.outstanding() > 0) {
            postponed = Optional.of(() -> giveUp(tooShort, collector, nodes));
            return;
        }
        boolean taken = answer.test(new Outcome(tooShort, elapsed(), false));
        abandon(collector, nodes);
        // Who left is not told that the lease is gone, and may count on it.
        if (taken) {
            collector.each(nodes, NodeReply.Adopted.class, this::deleteAdopted);
        }
    }

    private void deleteAdopted(LockNode node, NodeReply.Adopted vote) {
        workshop.cleanUp().delete(node, claim.adopted(vote), workshop.rules().ttlMax(), ignored -> {});
    }

    private void abandon(VoteCollector collector, List<LockNode> nodes) {
        abandoned = true;
        unsettled = collector.outstanding() + 1;
        collector.each(nodes, NodeReply.class, this::deleteOwnValue);
        settled();
    }

    private void deleteOwnValue(LockNode node, NodeReply reply) {
        if (NodeReplies.mayHoldOwnValue(reply)) {
            unsettled++;
            DeleteCondition condition = inVain ? claim.votes() : claim.condition();
            workshop.cleanUp().delete(node, condition, claim.terms().ttl(), said -> settled());
        }
    }

    private void settled() {
        if (--unsettled == 0) {
            whenNothingIsLeft.ifPresent(Runnable::run);
        }
    }

    private Duration elapsed() {
        return workshop.clock().now().since(started);
    }

    private Acquisition lost(AcquireDecision verdict, AcquireVotes votes) {
        return switch (verdict) {
            case HELD -> held(votes);
            case TOKEN_IN_USE -> new Acquisition.TokenInUse();
            default -> new Acquisition.NoQuorum(votes.collector().unanswered());
        };
    }

    /** Until nothing of a failed attempt is left, time passes for the holder as well: a silent node takes time-outs of it. */
    private Acquisition held(AcquireVotes votes) {
        Duration left = votes.untilMajorityFree().minus(workshop.clock().now().since(decided));
        return new Acquisition.Held(
                left.isNegative() ? Duration.ZERO : left,
                votes.owner(),
                votes.holder(),
                votes.areSplit(),
                Duration.ZERO);
    }

    /** Makes the lease, unless too little is left of it, measured last (R4, S2), or no quorum knows its fencing token. */
    private Acquisition won(AcquireVotes votes, Optional<FencingToken> fence) {
        Duration elapsed = elapsed();
        RedlockSettings rules = workshop.rules();
        Duration validity = rules.drift().validity(votes.leftOnMajority(), elapsed);
        Optional<ValidityShortage> shortage = ValidityShortage.of(claim.terms().minValidity(), validity);
        if (shortage.isPresent()) {
            return new Acquisition.TooShort(
                    shortage.get(), !votes.areNew(), votes.collector().unanswered());
        }
        if (fence.isEmpty() || validity.isNegative() || validity.isZero()) {
            return new Acquisition.NoQuorum(votes.collector().unanswered());
        }
        Lease lease = new Lease(
                claim.resource(),
                claim.token(),
                fence.get(),
                claim.terms().ttl(),
                validity,
                elapsed,
                Duration.ZERO,
                rules.extensionsLeft(votes.extensionsUsed()),
                votes.collector().votes(votes.count()));
        return votes.areNew() ? new Acquisition.Acquired(lease) : new Acquisition.Replayed(lease);
    }
}
