// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redlock;

import io.quorumlock.core.lock.Lease.Votes;
import io.quorumlock.core.lock.NoQuorumReason;
import io.quorumlock.core.lock.Release.Holder;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.engines.redlock.MasterReply.Failed;
import io.quorumlock.engines.redlock.MasterReply.HeldByAnother;
import io.quorumlock.engines.redlock.MasterReply.NotHolding;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The replies of one round, one for each configured master. */
final class VoteCollector {
    private final Quorum quorum;
    private final MasterReply[] replies;
    private int outstanding;

    VoteCollector(Quorum quorum) {
        this.quorum = quorum;
        this.replies = new MasterReply[quorum.total()];
        this.outstanding = replies.length;
    }

    void record(int master, MasterReply reply) {
        if (replies[master] != null) {
            throw new IllegalStateException("master " + master + " answered twice");
        }
        replies[master] = reply;
        outstanding--;
    }

    /** Returns the reply of a master; empty if it has not replied yet. */
    Optional<MasterReply> of(int master) {
        return Optional.ofNullable(replies[master]);
    }

    /** Calls the action for each reply of one kind. */
    <R extends MasterReply> void forEach(List<LockMaster> masters, Class<R> kind, BiConsumer<LockMaster, R> visit) {
        for (int i = 0; i < replies.length; i++) {
            if (kind.isInstance(replies[i])) {
                visit.accept(masters.get(i), kind.cast(replies[i]));
            }
        }
    }

    int outstanding() {
        return outstanding;
    }

    int required() {
        return quorum.required();
    }

    int count(Class<? extends MasterReply> kind) {
        return count(kind::isInstance);
    }

    int count(Predicate<MasterReply> kind) {
        int count = 0;
        for (MasterReply reply : replies) {
            if (reply != null && kind.test(reply)) {
                count++;
            }
        }
        return count;
    }

    <R extends MasterReply> List<R> all(Class<R> kind) {
        List<R> all = new ArrayList<>(replies.length);
        for (MasterReply reply : replies) {
            if (kind.isInstance(reply)) {
                all.add(kind.cast(reply));
            }
        }
        return all;
    }

    /** Returns the number of masters that replied, and not with a failure. */
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

    /** Returns the number of masters that do not have the caller's lease. */
    int notHolding() {
        return count(NotHolding.class);
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

    /** Returns which of several resources most masters reported as lost. */
    Optional<ResourceName> lost(ResourceNames resources) {
        return all(NotHolding.class).stream()
                .collect(Collectors.groupingBy(NotHolding::index, Collectors.counting()))
                .entrySet()
                .stream()
                .max(Map.Entry.comparingByValue())
                .filter(most -> resources.count() > 1)
                .map(most -> resources.list().get(most.getKey()));
    }

    Votes votes(int granted) {
        return new Votes(granted, quorum.required(), quorum.total());
    }

    /** Returns why a read was not decided. It has no effect. */
    NoQuorumReason noQuorumReasonOfRead() {
        return new NoQuorumReason(answered(), quorum.required(), quorum.total(), NoQuorumReason.Effect.NONE);
    }

    /** Returns why a command was not decided. The effect is unknown if a master may have applied it. */
    NoQuorumReason noQuorumReason() {
        boolean touched = outstanding > 0 || count(MasterReply::mayHaveTakenEffect) > 0;
        NoQuorumReason.Effect effect = touched ? NoQuorumReason.Effect.UNKNOWN : NoQuorumReason.Effect.NONE;
        return new NoQuorumReason(answered(), quorum.required(), quorum.total(), effect);
    }
}
