package io.quorumlock.redlock;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Asks all nodes at once, and decides as soon as no later reply can change the answer: at the third yes or the third no of
 * five. Later replies are still heard.
 *
 * @param <V> the verdict
 */
final class QuorumRound<V> {

    /** Is what every node is asked. */
    @FunctionalInterface
    interface Question {
        void put(LockNode node, Consumer<NodeReply> reply);
    }

    /** Finds the verdict, or nothing while later replies can change it. Always finds one when no reply is outstanding. */
    @FunctionalInterface
    interface Rule<V> {
        Optional<V> decide(VoteCollector collector);
    }

    /** Hears the verdict, and the replies that came too late for it. */
    interface Listener<V> {
        void decided(V verdict, VoteCollector collector, List<LockNode> nodes);

        default void late(LockNode node, NodeReply reply) {}
    }

    private final List<LockNode> nodes;
    private final VoteCollector collector;
    private final Rule<V> rule;
    private final Listener<V> listener;
    private boolean allAsked;
    private boolean decided;

    private QuorumRound(List<LockNode> nodes, Rule<V> rule, Listener<V> listener) {
        this.nodes = nodes;
        this.collector = new VoteCollector(new Quorum(nodes.size()));
        this.rule = rule;
        this.listener = listener;
    }

    static <V> void run(List<LockNode> nodes, Question question, Rule<V> rule, Listener<V> listener) {
        QuorumRound<V> round = new QuorumRound<>(nodes, rule, listener);
        for (int i = 0; i < nodes.size(); i++) {
            int place = i;
            LockNode node = nodes.get(i);
            question.put(node, reply -> round.hear(place, node, reply));
        }
        round.allAsked = true;
        round.decide();
    }

    /** Asks all nodes, and waits for the last reply. */
    static void hearAll(List<LockNode> nodes, Question question, Consumer<VoteCollector> listener) {
        run(
                nodes,
                question,
                collector -> collector.outstanding() == 0 ? Optional.of(collector) : Optional.empty(),
                (all, collector, asked) -> listener.accept(all));
    }

    private void hear(int place, LockNode node, NodeReply reply) {
        collector.record(place, reply);
        if (decided) {
            listener.late(node, reply);
        } else {
            decide();
        }
    }

    /** Waits until all were asked, so that a node that fails at once hides nobody else's part in the round. */
    private void decide() {
        if (!allAsked || decided) {
            return;
        }
        rule.decide(collector).ifPresent(verdict -> {
            decided = true;
            listener.decided(verdict, collector, nodes);
        });
    }
}
