package io.quorumlock.redlock;

import io.quorumlock.lock.ExtendTerms;
import io.quorumlock.lock.Extension;
import io.quorumlock.lock.FencingToken;
import io.quorumlock.lock.Lease;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.lock.ValidityShortage;
import io.quorumlock.redlock.NodeReply.Extended;
import io.quorumlock.time.MonotonicTime;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;

/**
 * Is one attempt to extend a lease. When it fails it deletes nothing (R7); only where less validity is left than the holder
 * asked for, the lease is given up.
 */
final class ExtendAttempt implements QuorumRound.Listener<ExtendDecision> {
    private final Wish wish;
    private final AttemptContext workshop;
    private final BiPredicate<Extension, Duration> answer;
    private final MonotonicTime started;
    private Optional<Runnable> postponed = Optional.empty();

    /** Is what the holder asks for. */
    record Wish(ResourceName resource, LeaseToken token, ExtendTerms terms) {}

    /** @param answer hears the outcome and how long it took, and says whether the caller is still there to take it */
    ExtendAttempt(Wish wish, AttemptContext workshop, BiPredicate<Extension, Duration> answer) {
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
                ExtendDecision::decide,
                this);
    }

    @Override
    public void decided(ExtendDecision verdict, VoteCollector collector, List<LockNode> nodes) {
        if (verdict == ExtendDecision.EXTENDED) {
            workshop.fencing()
                    .agree(
                            DeleteCondition.ofLease(wish.resource(), wish.token()),
                            collector,
                            fence -> conclude(collector, fence, nodes));
        } else {
            finish(
                    switch (verdict) {
                        case EXHAUSTED -> new Extension.Exhausted(
                                workshop.rules().extensionsMax());
                        case LOST -> new Extension.Lost(
                                collector.holderInstead().orElseThrow());
                        default -> new Extension.Unconfirmed(collector.unanswered());
                    });
        }
    }

    @Override
    public void late(LockNode node, NodeReply reply) {
        postponed.ifPresent(Runnable::run);
    }

    /** Measures last what is left (R4, S2). */
    private void conclude(VoteCollector collector, Optional<FencingToken> fence, List<LockNode> nodes) {
        Duration elapsed = elapsed();
        Duration validity = workshop.rules().drift().validity(wish.terms().ttl(), elapsed);
        Optional<ValidityShortage> shortage = ValidityShortage.of(wish.terms().minValidity(), validity);
        if (shortage.isPresent()) {
            giveUp(shortage.get(), collector, nodes);
        } else if (fence.isEmpty() || validity.isNegative() || validity.isZero()) {
            finish(new Extension.Unconfirmed(collector.unanswered()));
        } else {
            finish(new Extension.Extended(lease(collector, fence.get(), validity, elapsed)));
        }
    }

    /** Ends the lease. All nodes are heard first: what this attempt would extend after the answer could not be told apart. */
    private void giveUp(ValidityShortage shortage, VoteCollector collector, List<LockNode> nodes) {
        if (collector.outstanding() > 0) {
            postponed = Optional.of(() -> giveUp(shortage, collector, nodes));
        } else if (finish(new Extension.TooShort(shortage))) {
            // Who left is not told that the lease is gone, and may count on it.
            collector.each(nodes, Extended.class, this::delete);
        }
    }

    private void delete(LockNode node, Extended vote) {
        DeleteCondition condition = DeleteCondition.ofExtension(wish.resource(), wish.token(), vote.extensionsUsed());
        workshop.cleanUp().delete(node, condition, workshop.rules().ttlMax(), ignored -> {});
    }

    private boolean finish(Extension extension) {
        return answer.test(extension, elapsed());
    }

    private Duration elapsed() {
        return workshop.clock().now().since(started);
    }

    private Lease lease(VoteCollector collector, FencingToken fence, Duration validity, Duration elapsed) {
        int used = collector.all(Extended.class).stream()
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
                collector.votes(collector.count(Extended.class)));
    }
}
