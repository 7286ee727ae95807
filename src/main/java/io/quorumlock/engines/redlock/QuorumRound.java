// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redlock;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * One query to all masters at once. It is decided as soon as a majority decides: with five masters, often at the third positive
 * or the third negative reply. Later replies are still processed.
 *
 * @param <V> the decision
 */
final class QuorumRound<V> {

    /** A command to every master. */
    @FunctionalInterface
    interface Query {
        void send(LockMaster master, Consumer<MasterReply> reply);
    }

    /** The rule of a decision. Returns empty while later replies can change it, and a decision after the last reply. */
    @FunctionalInterface
    interface Rule<V> {
        Optional<V> decide(VoteCollector collector);
    }

    /** The receiver of the decision, and of replies that arrive after it. */
    interface Listener<V> {
        void decided(V decision, VoteCollector collector, List<LockMaster> masters);

        default void late(LockMaster master, MasterReply reply) {}
    }

    private final List<LockMaster> masters;
    private final VoteCollector collector;
    private final Rule<V> rule;
    private final Listener<V> listener;
    private boolean allSent;
    private boolean decided;

    private QuorumRound(List<LockMaster> masters, Rule<V> rule, Listener<V> listener) {
        this.masters = masters;
        this.collector = new VoteCollector(new Quorum(masters.size()));
        this.rule = rule;
        this.listener = listener;
    }

    static <V> void run(List<LockMaster> masters, Query query, Rule<V> rule, Listener<V> listener) {
        QuorumRound<V> round = new QuorumRound<>(masters, rule, listener);
        for (int i = 0; i < masters.size(); i++) {
            int index = i;
            LockMaster master = masters.get(i);
            query.send(master, reply -> round.receive(index, master, reply));
        }
        round.allSent = true;
        round.decide();
    }

    /** Sends a query to all masters, and waits for the last reply. */
    static void runToEnd(List<LockMaster> masters, Query query, Consumer<VoteCollector> listener) {
        run(
                masters,
                query,
                collector -> collector.outstanding() == 0 ? Optional.of(collector) : Optional.empty(),
                (last, collector, all) -> listener.accept(last));
    }

    private void receive(int index, LockMaster master, MasterReply reply) {
        collector.record(index, reply);
        if (decided) {
            listener.late(master, reply);
        } else {
            decide();
        }
    }

    /** Decides only after the query was sent to all masters, because a master can fail at once. */
    private void decide() {
        if (!allSent || decided) {
            return;
        }
        rule.decide(collector).ifPresent(decision -> {
            decided = true;
            listener.decided(decision, collector, masters);
        });
    }
}
