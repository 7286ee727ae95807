package io.quorumlock.redlock;

import io.quorumlock.lock.ForcedRelease;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.redlock.NodeReply.Absent;
import io.quorumlock.redlock.NodeReply.Deleted;
import io.quorumlock.redlock.NodeReply.HeldByAnother;
import io.quorumlock.redlock.NodeReply.Holding;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Is one forced release: looks at what stands, then deletes exactly that (R3, R6), so that however late a deletion arrives it
 * finds no later lease. Where the same holder's value was written anew in between, by an extension, it looks again.
 */
final class ForceAttempt {
    private static final int MOST_LOOKS = 3;

    private final ResourceName resource;
    private final List<LockNode> nodes;
    private final CleanUp cleanUp;
    private final Consumer<ForcedRelease> answer;
    private int looks;
    private boolean deletedAny;

    ForceAttempt(ResourceName resource, List<LockNode> nodes, CleanUp cleanUp, Consumer<ForcedRelease> answer) {
        this.resource = resource;
        this.nodes = nodes;
        this.cleanUp = cleanUp;
        this.answer = answer;
    }

    void run() {
        look(this::choose);
    }

    private void look(Consumer<VoteCollector> then) {
        looks++;
        QuorumRound.hearAll(nodes, (node, reply) -> node.inspect(resource, reply), then);
    }

    private void choose(VoteCollector collector) {
        ForcedReleaseTargets targets = ForcedReleaseTargets.of(resource, collector);
        if (!collector.isMajority(collector.answered())) {
            answer.accept(new ForcedRelease.NoQuorum(collector.unread()));
        } else if (!targets.areNone()) {
            strike(targets, targets, collector);
        } else if (collector.count(Holding.class) > 0) {
            answer.accept(new ForcedRelease.LeftAlone(ForcedRelease.Reason.NOT_OURS));
        } else {
            answer.accept(new ForcedRelease.Free());
        }
    }

    /** Deletes from each node what it showed. Elsewhere there is nothing to delete, which is as good as an answer. */
    private void strike(ForcedReleaseTargets chosen, ForcedReleaseTargets found, VoteCollector seen) {
        QuorumRound.hearAll(
                nodes,
                (node, reply) -> {
                    Optional<DeleteCondition> condition =
                            seen.of(nodes.indexOf(node)).flatMap(found::on);
                    if (condition.isPresent()) {
                        cleanUp.delete(node, condition.get(), chosen.remaining(), reply);
                    } else {
                        reply.accept(new Absent());
                    }
                },
                said -> judge(chosen, said));
    }

    private void judge(ForcedReleaseTargets chosen, VoteCollector said) {
        deletedAny |= said.count(Deleted.class) > 0;
        if (said.count(HeldByAnother.class) > 0 && looks < MOST_LOOKS) {
            look(again -> strikeAgain(chosen, again));
        } else if (said.isMajority(said.count(Deleted.class) + said.count(Absent.class))) {
            answer.accept(deletedAny ? new ForcedRelease.Broken(chosen.owner()) : new ForcedRelease.Free());
        } else {
            answer.accept(unconfirmed(chosen, said));
        }
    }

    private void strikeAgain(ForcedReleaseTargets chosen, VoteCollector collector) {
        ForcedReleaseTargets left = chosen.stillIn(collector);
        if (!collector.isMajority(collector.answered())) {
            answer.accept(unconfirmed(chosen, collector));
        } else if (!left.areNone()) {
            strike(chosen, left, collector);
        } else if (deletedAny) {
            answer.accept(new ForcedRelease.Broken(chosen.owner()));
        } else if (collector.count(Holding.class) > 0) {
            answer.accept(new ForcedRelease.LeftAlone(ForcedRelease.Reason.CHANGED_HANDS));
        } else {
            answer.accept(new ForcedRelease.Free());
        }
    }

    private static ForcedRelease unconfirmed(ForcedReleaseTargets chosen, VoteCollector collector) {
        return new ForcedRelease.Unconfirmed(collector.unanswered(), chosen.owner(), chosen.remaining());
    }
}
