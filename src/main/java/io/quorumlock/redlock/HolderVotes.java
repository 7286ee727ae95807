// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redlock;

import io.quorumlock.lock.FencingToken;
import io.quorumlock.lock.Inspection;
import io.quorumlock.lock.Owner;
import io.quorumlock.redlock.MasterReply.Held;
import io.quorumlock.redlock.MasterReply.Held.Holding;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The votes for one holder.
 *
 * @param votes ordered by remaining time, longest first; at least one
 */
record HolderVotes(List<Holding> votes, int required) {

    /** Returns all holders: most votes first, then those that a client has before what is kept, then longest remaining time. */
    static List<HolderVotes> all(VoteCollector collector) {
        Map<String, List<Holding>> byHolder = collector.all(Held.class).stream()
                .flatMap(held -> held.all().stream())
                .sorted(Comparator.comparing(Holding::remaining).reversed())
                .collect(Collectors.groupingBy(Holding::holder));
        return byHolder.values().stream()
                .map(votes -> new HolderVotes(votes, collector.required()))
                .sorted(Comparator.comparing(HolderVotes::count)
                        .thenComparing(holder -> !holder.isKept())
                        .thenComparing(HolderVotes::longest)
                        .reversed())
                .toList();
    }

    static Optional<HolderVotes> leading(VoteCollector collector) {
        return all(collector).stream().findFirst();
    }

    /** Returns the state of the resource for callers. */
    Inspection.Held held(VoteCollector collector) {
        int holders =
                (int) all(collector).stream().filter(HolderVotes::isMajority).count();
        return new Inspection.Held(
                owner(),
                since(),
                extensions(),
                remaining(),
                fence(),
                isKept(),
                votes.get(0).kind(),
                Math.max(1, holders),
                collector.votes(count()));
    }

    int count() {
        return votes.size();
    }

    boolean isMajority() {
        return count() >= required;
    }

    String holder() {
        return votes.get(0).holder();
    }

    /** Returns the attempts that wrote the values; empty if another program wrote them. */
    List<String> attempts() {
        return votes.stream().flatMap(vote -> vote.attempt().stream()).toList();
    }

    /** Returns when the holder acquired the lock, by its fencing token; empty if it is kept, or if another program holds it. */
    private Optional<Instant> since() {
        return isKept() ? Optional.empty() : fence().flatMap(FencingClock::time);
    }

    /** Returns the largest number of extensions on any master. */
    int extensions() {
        return votes.stream().mapToInt(Holding::extensionsUsed).max().orElseThrow();
    }

    /** Returns whether a majority keeps the resource after its release. */
    private boolean isKept() {
        return votes.stream()
                        .filter(vote -> vote.attempt().equals(Optional.of(DeleteCondition.KEPT)))
                        .count()
                >= required;
    }

    /** Returns whether this service wrote the values, and not another program. */
    boolean isOurs() {
        return votes.get(0).attempt().isPresent();
    }

    /** Returns the owner; empty if the resource is kept. */
    Optional<Owner> owner() {
        return isKept() ? Optional.empty() : votes.get(0).owner();
    }

    Duration longest() {
        return votes.get(0).remaining();
    }

    /** Returns the remaining time on a majority; for a minority, the longest on any master. */
    private Duration remaining() {
        return isMajority() ? votes.get(required - 1).remaining() : longest();
    }

    private Optional<FencingToken> fence() {
        return votes.stream().flatMap(vote -> vote.fence().stream()).max(Comparator.naturalOrder());
    }
}
