package io.quorumlock.redlock;

import io.quorumlock.lock.ExtendTerms;
import io.quorumlock.lock.Extension;
import io.quorumlock.lock.FencingToken;
import io.quorumlock.lock.Lease;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.lock.Shortage;
import io.quorumlock.redlock.NodeReply.Extended;
import io.quorumlock.time.Moment;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;

/**
 * Is one attempt to extend a lease. When it fails it deletes nothing (R7); only where less validity is left than the holder
 * asked for, the lease is given up.
 */
final class ExtendAttempt implements QuorumRound.Listener<ExtendVerdict> {
    private final Wish wish;
    private final Workshop workshop;
    private final BiPredicate<Extension, Duration> answer;
    private final Moment started;
    private Optional<Runnable> postponed = Optional.empty();

    /** Is what the holder asks for. */
    record Wish(ResourceName resource, LeaseToken token, ExtendTerms terms) {}

    /** @param answer hears the outcome and how long it took, and says whether the caller is still there to take it */
    ExtendAttempt(Wish wish, Workshop workshop, BiPredicate<Extension, Duration> answer) {
        this.wish = wish;
        this.workshop = workshop;
        this.answer = answer;
        this.started = workshop.clock().now();
    }

    void run(List<LockNode> nodes) {
        QuorumRound.run(
                nodes,
                (node, reply) ->
                        node.extend(wish.resource(), wish.token(), wish.terms().ttl(), reply),
                ExtendVerdict::decide,
                this);
    }

    @Override
    public void decided(ExtendVerdict verdict, Ballot ballot, List<LockNode> nodes) {
        if (verdict == ExtendVerdict.EXTENDED) {
            workshop.fencing()
                    .agree(
                            Stake.ofLease(wish.resource(), wish.token()),
                            ballot,
                            fence -> conclude(ballot, fence, nodes));
        } else {
            finish(
                    switch (verdict) {
                        case EXHAUSTED -> new Extension.Exhausted(
                                workshop.rules().extensionsMax());
                        case LOST -> new Extension.Lost(ballot.holderInstead().orElseThrow());
                        default -> new Extension.Unconfirmed(ballot.unanswered());
                    });
        }
    }

    @Override
    public void late(LockNode node, NodeReply reply) {
        postponed.ifPresent(Runnable::run);
    }

    /** Measures last what is left (R4, S2). */
    private void conclude(Ballot ballot, Optional<FencingToken> fence, List<LockNode> nodes) {
        Duration elapsed = elapsed();
        Duration validity = workshop.rules().drift().validity(wish.terms().ttl(), elapsed);
        Optional<Shortage> shortage = Shortage.of(wish.terms().minValidity(), validity);
        if (shortage.isPresent()) {
            giveUp(shortage.get(), ballot, nodes);
        } else if (fence.isEmpty() || validity.isNegative() || validity.isZero()) {
            finish(new Extension.Unconfirmed(ballot.unanswered()));
        } else {
            finish(new Extension.Extended(lease(ballot, fence.get(), validity, elapsed)));
        }
    }

    /** Ends the lease. All nodes are heard first: what this attempt would extend after the answer could not be told apart. */
    private void giveUp(Shortage shortage, Ballot ballot, List<LockNode> nodes) {
        if (ballot.outstanding() > 0) {
            postponed = Optional.of(() -> giveUp(shortage, ballot, nodes));
        } else if (finish(new Extension.TooShort(shortage))) {
            // Who left is not told that the lease is gone, and may count on it.
            ballot.each(nodes, Extended.class, this::delete);
        }
    }

    private void delete(LockNode node, Extended vote) {
        Stake stake = Stake.ofExtension(wish.resource(), wish.token(), vote.extensionsUsed());
        workshop.cleanUp().delete(node, stake, workshop.rules().ttlMax(), ignored -> {});
    }

    private boolean finish(Extension extension) {
        return answer.test(extension, elapsed());
    }

    private Duration elapsed() {
        return workshop.clock().now().since(started);
    }

    private Lease lease(Ballot ballot, FencingToken fence, Duration validity, Duration elapsed) {
        int used = ballot.all(Extended.class).stream()
                .mapToInt(Extended::extensionsUsed)
                .max()
                .orElseThrow();
        return new Lease(
                wish.resource(),
                wish.token(),
                fence,
                wish.terms().ttl(),
                validity,
                elapsed,
                Duration.ZERO,
                workshop.rules().extensionsLeft(used),
                ballot.votes(ballot.count(Extended.class)));
    }
}
