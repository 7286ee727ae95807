// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redlock;

import io.quorumlock.lock.Lease.Votes;
import io.quorumlock.lock.NoQuorumReason;
import io.quorumlock.lock.Release.Holder;
import io.quorumlock.redlock.NodeReply.Absent;
import io.quorumlock.redlock.NodeReply.Failed;
import io.quorumlock.redlock.NodeReply.HeldByAnother;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/** The replies of one round, one for each configured node. */
final class VoteCollector {
    private final Quorum quorum;
    private final NodeReply[] replies;
    private int outstanding;

    VoteCollector(Quorum quorum) {
        this.quorum = quorum;
        this.replies = new NodeReply[quorum.total()];
        this.outstanding = replies.length;
    }

    void record(int node, NodeReply reply) {
        if (replies[node] != null) {
            throw new IllegalStateException("node " + node + " answered twice");
        }
        replies[node] = reply;
        outstanding--;
    }

    /** Returns the reply of a node; empty if it has not replied yet. */
    Optional<NodeReply> of(int node) {
        return Optional.ofNullable(replies[node]);
    }

    /** Calls the action for each reply of one kind. */
    <R extends NodeReply> void forEach(List<LockNode> nodes, Class<R> kind, BiConsumer<LockNode, R> visit) {
        for (int i = 0; i < replies.length; i++) {
            if (kind.isInstance(replies[i])) {
                visit.accept(nodes.get(i), kind.cast(replies[i]));
            }
        }
    }

    int outstanding() {
        return outstanding;
    }

    int required() {
        return quorum.required();
    }

    int count(Class<? extends NodeReply> kind) {
        return count(kind::isInstance);
    }

    int count(Predicate<NodeReply> kind) {
        int count = 0;
        for (NodeReply reply : replies) {
            if (reply != null && kind.test(reply)) {
                count++;
            }
        }
        return count;
    }

    <R extends NodeReply> List<R> all(Class<R> kind) {
        List<R> all = new ArrayList<>(replies.length);
        for (NodeReply reply : replies) {
            if (kind.isInstance(reply)) {
                all.add(kind.cast(reply));
            }
        }
        return all;
    }

    int answered() {
        return replies.length - outstanding - count(Failed.class);
    }

    boolean isMajority(int count) {
        return count >= quorum.required();
    }

    /** Returns whether {@code count} is a majority or can still become one. */
    boolean canBeMajority(int count) {
        return isMajority(count + outstanding);
    }

    /** Returns the number of nodes that do not have the caller's lease. */
    int notHolding() {
        return count(Absent.class) + count(HeldByAnother.class);
    }

    /** Returns the other holder, once a majority has lost the lease and no later vote can change this. */
    Optional<Holder> otherHolder() {
        int others = count(HeldByAnother.class);
        if (!isMajority(notHolding())) {
            return Optional.empty();
        }
        if (isMajority(others)) {
            return Optional.of(Holder.ANOTHER);
        }
        return canBeMajority(others) ? Optional.empty() : Optional.of(Holder.NOBODY);
    }

    Votes votes(int granted) {
        return new Votes(granted, quorum.required(), quorum.total());
    }

    /** Returns why a read was not decided. It has no effect. */
    NoQuorumReason noQuorumReasonOfRead() {
        return new NoQuorumReason(answered(), quorum.required(), quorum.total(), NoQuorumReason.Effect.NONE);
    }

    /** Returns why a command was not decided. The effect is unknown if a node may have applied it. */
    NoQuorumReason noQuorumReason() {
        boolean touched = outstanding > 0 || count(NodeReply::mayHaveTakenEffect) > 0;
        NoQuorumReason.Effect effect = touched ? NoQuorumReason.Effect.UNKNOWN : NoQuorumReason.Effect.NONE;
        return new NoQuorumReason(replies.length - count(Failed.class), quorum.required(), quorum.total(), effect);
    }
}
