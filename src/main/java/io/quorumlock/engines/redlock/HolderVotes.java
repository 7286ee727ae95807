// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redlock;

import io.quorumlock.core.lock.FencingToken;
import io.quorumlock.core.lock.Inspection;
import io.quorumlock.core.lock.Inspection.HolderState;
import io.quorumlock.core.lock.NoQuorumReason;
import io.quorumlock.core.lock.Owner;
import io.quorumlock.engines.redlock.MasterReply.Failed;
import io.quorumlock.engines.redlock.MasterReply.Held;
import io.quorumlock.engines.redlock.MasterReply.Held.Holding;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The votes for one holder.
 *
 * @param votes ordered by remaining time, longest first; at least one
 */
record HolderVotes(List<Holding> votes, int required) {

    /**
     * Returns all holders: those of a majority first, then those with most votes; then those that a client has before what is
     * kept, then longest remaining time.
     */
    static List<HolderVotes> all(VoteCollector collector) {
        Map<String, List<Holding>> byHolder = collector.all(Held.class).stream()
                .flatMap(held -> held.all().stream())
                .sorted(Comparator.comparing(Holding::remaining).reversed())
                .collect(Collectors.groupingBy(Holding::holder));
        return byHolder.values().stream()
                .map(votes -> new HolderVotes(votes, collector.required()))
                .sorted(Comparator.comparing((HolderVotes holder) -> Math.min(holder.count(), holder.required()))
                        .thenComparing(holder -> !holder.isKept())
                        .thenComparing(HolderVotes::remaining)
                        .reversed())
                .toList();
    }

    /**
     * Returns the holders that may have a majority, with the votes of all masters that did not reply. If none may, returns all:
     * the rests of failed attempts, which end by themselves.
     */
    static List<HolderVotes> possible(VoteCollector collector) {
        List<HolderVotes> all = all(collector);
        List<HolderVotes> possible =
                all.stream().filter(holder -> holder.mayBeMajority(collector)).toList();
        return possible.isEmpty() ? all : possible;
    }

    /** Returns the state of the resource for callers. */
    static Inspection.Held state(List<HolderVotes> holders, VoteCollector collector) {
        HolderVotes leading = holders.get(0);
        return Inspection.Held.of(
                holders.stream().map(holder -> holder.shown(collector)).toList(),
                leading.votes.get(0).kind(),
                collector.votes(leading.count()));
    }

    private HolderState shown(VoteCollector collector) {
        Optional<NoQuorumReason> unconfirmed = isMajority() || !mayBeMajority(collector)
                ? Optional.empty()
                : Optional.of(collector.noQuorumReasonOfRead());
        return new HolderState(
                owner(),
                slot(),
                fence().flatMap(FencingClock::time),
                extensions(),
                remaining(),
                fence(),
                isKept(),
                unconfirmed,
                votes.get(0).names());
    }

    int count() {
        return votes.size();
    }

    boolean isMajority() {
        return count() >= required;
    }

    private boolean mayBeMajority(VoteCollector collector) {
        return collector.isMajority(count() + collector.count(Failed.class));
    }

    String holder() {
        return votes.get(0).holder();
    }

    /** Returns the attempts that wrote the values; empty if another program wrote them. */
    List<String> attempts() {
        return votes.stream().flatMap(vote -> vote.attempt().stream()).toList();
    }

    /** Returns the slot of a semaphore on most masters. A failed attempt may have left values for another one. */
    private Optional<Integer> slot() {
        return votes.stream()
                .flatMap(vote -> vote.slot().stream())
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()))
                .entrySet()
                .stream()
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey);
    }

    /** Returns the largest number of extensions on any master. */
    int extensions() {
        return votes.stream().mapToInt(Holding::extensionsUsed).max().orElseThrow();
    }

    /** Returns whether a majority keeps the resource after its release, or all masters that answered. */
    private boolean isKept() {
        return votes.stream()
                        .filter(vote -> vote.attempt().equals(Optional.of(DeleteCondition.KEPT)))
                        .count()
                >= Math.min(required, count());
    }

    /** Returns whether this service wrote the values, and not another program. */
    boolean isOurs() {
        return votes.get(0).attempt().isPresent();
    }

    /** Returns the owner; of what is kept, the one who released it. */
    Optional<Owner> owner() {
        return votes.get(0).owner();
    }

    Duration longest() {
        return votes.get(0).remaining();
    }

    /** Returns the remaining time on a majority; for a minority, the longest on any master. */
    private Duration remaining() {
        return isMajority() ? votes.get(required - 1).remaining() : longest();
    }

    /**
     * Returns the largest token of a majority, or of any master for a minority. The holder knows that of the majority: a vote
     * after the answer may have a larger one.
     */
    Optional<FencingToken> fence() {
        List<FencingToken> fences = votes.stream()
                .flatMap(vote -> vote.fence().stream())
                .sorted(Comparator.reverseOrder())
                .toList();
        return fences.stream()
                .skip(fences.size() >= required ? required - 1 : 0)
                .findFirst();
    }
}
