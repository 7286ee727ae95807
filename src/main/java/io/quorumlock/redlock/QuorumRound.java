// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redlock;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * One query to all nodes at once. It is decided as soon as no later reply can change the decision: with five nodes, at
 * the third positive or the third negative reply. Later replies are still processed.
 *
 * @param <V> the decision
 */
final class QuorumRound<V> {

    /** A command to every node. */
    @FunctionalInterface
    interface Query {
        void send(LockNode node, Consumer<NodeReply> reply);
    }

    /** The rule of a decision. Returns empty while later replies can change it, and a decision after the last reply. */
    @FunctionalInterface
    interface Rule<V> {
        Optional<V> decide(VoteCollector collector);
    }

    /** The receiver of the decision, and of replies that arrive after it. */
    interface Listener<V> {
        void decided(V decision, VoteCollector collector, List<LockNode> nodes);

        default void late(LockNode node, NodeReply reply) {}
    }

    private final List<LockNode> nodes;
    private final VoteCollector collector;
    private final Rule<V> rule;
    private final Listener<V> listener;
    private boolean allSent;
    private boolean decided;

    private QuorumRound(List<LockNode> nodes, Rule<V> rule, Listener<V> listener) {
        this.nodes = nodes;
        this.collector = new VoteCollector(new Quorum(nodes.size()));
        this.rule = rule;
        this.listener = listener;
    }

    static <V> void run(List<LockNode> nodes, Query query, Rule<V> rule, Listener<V> listener) {
        QuorumRound<V> round = new QuorumRound<>(nodes, rule, listener);
        for (int i = 0; i < nodes.size(); i++) {
            int index = i;
            LockNode node = nodes.get(i);
            query.send(node, reply -> round.receive(index, node, reply));
        }
        round.allSent = true;
        round.decide();
    }

    /** Sends a query to all nodes, and waits for the last reply. */
    static void runToEnd(List<LockNode> nodes, Query query, Consumer<VoteCollector> listener) {
        run(
                nodes,
                query,
                collector -> collector.outstanding() == 0 ? Optional.of(collector) : Optional.empty(),
                (last, collector, all) -> listener.accept(last));
    }

    private void receive(int index, LockNode node, NodeReply reply) {
        collector.record(index, reply);
        if (decided) {
            listener.late(node, reply);
        } else {
            decide();
        }
    }

    /** Decides only after the query was sent to all nodes, because a node can fail at once. */
    private void decide() {
        if (!allSent || decided) {
            return;
        }
        rule.decide(collector).ifPresent(decision -> {
            decided = true;
            listener.decided(decision, collector, nodes);
        });
    }
}
