package io.quorumlock.redlock;

import io.quorumlock.lock.Extension;
import io.quorumlock.lock.FencingToken;
import io.quorumlock.lock.Lease;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.redlock.NodeReply.Extended;
import io.quorumlock.time.Moment;
import io.quorumlock.time.MonotonicClock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/** Is one attempt to extend a lease. Whatever its outcome, it deletes nothing (R7). */
final class ExtendAttempt implements QuorumRound.Listener<ExtendVerdict> {
    private final Wish wish;
    private final Rules rules;
    private final MonotonicClock clock;
    private final Fencing fencing;
    private final BiConsumer<Extension, Duration> answer;
    private final Moment started;

    /** Is what the holder asks for. */
    record Wish(ResourceName resource, LeaseToken token, Duration ttl) {}

    ExtendAttempt(
            Wish wish, Rules rules, MonotonicClock clock, Fencing fencing, BiConsumer<Extension, Duration> answer) {
        this.wish = wish;
        this.rules = rules;
        this.clock = clock;
        this.fencing = fencing;
        this.answer = answer;
        this.started = clock.now();
    }

    void run(List<LockNode> nodes) {
        QuorumRound.run(
                nodes,
                (node, reply) -> node.extend(wish.resource(), wish.token(), wish.ttl(), reply),
                ExtendVerdict::decide,
                this);
    }

    @Override
    public void decided(ExtendVerdict verdict, Ballot ballot, List<LockNode> nodes) {
        if (verdict == ExtendVerdict.EXTENDED) {
            fencing.agree(wish.resource(), wish.token(), ballot, fence -> finish(extended(ballot, fence)));
        } else {
            finish(
                    switch (verdict) {
                        case EXHAUSTED -> new Extension.Exhausted(rules.extensionsMax());
                        case LOST -> new Extension.Lost(ballot.holderInstead().orElseThrow());
                        default -> new Extension.Unconfirmed(ballot.unanswered());
                    });
        }
    }

    private void finish(Extension extension) {
        answer.accept(extension, clock.now().since(started));
    }

    private Extension extended(Ballot ballot, Optional<FencingToken> fence) {
        Duration elapsed = clock.now().since(started);
        Duration validity = rules.drift().validity(wish.ttl(), elapsed);
        if (fence.isEmpty() || validity.isNegative() || validity.isZero()) {
            return new Extension.Unconfirmed(ballot.unanswered());
        }
        int used = ballot.all(Extended.class)
                .mapToInt(Extended::extensionsUsed)
                .max()
                .orElseThrow();
        return new Extension.Extended(new Lease(
                wish.resource(),
                wish.token(),
                fence.get(),
                wish.ttl(),
                validity,
                elapsed,
                rules.extensionsLeft(used),
                ballot.votes(ballot.count(Extended.class))));
    }
}
