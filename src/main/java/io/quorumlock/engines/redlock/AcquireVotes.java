// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redlock;

import io.quorumlock.core.lock.Acquisition.Held;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.lock.Owner;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.core.loop.Durations;
import io.quorumlock.engines.redlock.MasterReply.Adopted;
import io.quorumlock.engines.redlock.MasterReply.Granted;
import io.quorumlock.engines.redlock.MasterReply.Refused;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The votes on one acquire. */
record AcquireVotes(Duration ttl, VoteCollector collector) {

    int count() {
        return collector.count(MasterReply::isVote);
    }

    /** Returns whether a majority wrote this attempt's value. Otherwise some votes are values of earlier attempts. */
    boolean isNewGrant() {
        return collector.isMajority(collector.count(Granted.class));
    }

    /**
     * Returns whether a majority may have this attempt's value, including masters that failed after the command was sent.
     */
    boolean mayBeMajority() {
        return collector.canBeMajority(collector.count(MasterReply::mayHoldOwnValue));
    }

    /** Returns whether several clients won votes and, according to the replies, none of them won a majority. */
    boolean isSplit() {
        Map<String, Long> others = refusals()
                .collect(Collectors.groupingBy(refusal -> refusal.first().holder(), Collectors.counting()));
        boolean shared = refusals().anyMatch(refusal -> !refusal.first().kind().isExclusive());
        boolean several = others.size() + (collector.count(Granted.class) > 0 ? 1 : 0) > 1;
        return !slots().isEmpty()
                || several
                        && !shared
                        && others.values().stream().noneMatch(votes -> collector.isMajority(votes.intValue()));
    }

    /** Returns the number of slots that the semaphore has. */
    int otherSlots() {
        return collector.all(MasterReply.OtherSlots.class).get(0).slots();
    }

    int extensionsUsed() {
        return collector.all(Adopted.class).stream()
                .mapToInt(Adopted::extensionsUsed)
                .max()
                .orElse(0);
    }

    /** Returns how long a majority keeps the lock. An adopted vote counts with its remaining time. */
    Duration remainingOnMajority() {
        List<Duration> remaining = new ArrayList<>();
        collector.all(Granted.class).forEach(vote -> remaining.add(ttl));
        collector.all(Adopted.class).forEach(vote -> remaining.add(Durations.min(vote.remaining(), ttl)));
        remaining.sort(Comparator.reverseOrder());
        return remaining.get(collector.required() - 1);
    }

    /** Returns the locks that others hold, in the order of the resources. */
    List<Held.Taken> taken(ResourceNames resources) {
        Map<Integer, List<Refused.Conflict>> byIndex = new TreeMap<>(refusals()
                .flatMap(refusal -> refusal.taken().stream())
                .collect(Collectors.groupingBy(Refused.Conflict::index)));
        return byIndex.entrySet().stream()
                .map(lock -> new Held.Taken(
                        resources.list().get(lock.getKey()),
                        owner(lock.getValue()),
                        untilMajorityFree(lock.getValue()),
                        holder(lock.getValue()),
                        lock.getValue().stream().allMatch(Refused.Conflict::kept),
                        lock.getValue().stream().anyMatch(one -> one.kind().equals(LockKind.SHARED))))
                .toList();
    }

    /** Returns the other slots of a semaphore that most masters named as free, or as the one of the token. */
    List<Integer> slots() {
        Map<Integer, Long> masters = refusals()
                .flatMap(refusal -> refusal.slots().stream())
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
        long most = masters.values().stream().max(Comparator.naturalOrder()).orElse(0L);
        return masters.keySet().stream()
                .filter(slot -> masters.get(slot) == most)
                .sorted()
                .toList();
    }

    /** Returns the time until enough masters are free for a majority, according to the refusals. */
    private Duration untilMajorityFree(List<Refused.Conflict> taken) {
        int missing = Math.max(1, collector.required() - (collector.answered() - taken.size()));
        return taken.stream()
                .map(Refused.Conflict::remaining)
                .sorted()
                .skip(Math.min(missing, taken.size()) - 1L)
                .findFirst()
                .orElseThrow();
    }

    private static Optional<Owner> owner(List<Refused.Conflict> taken) {
        return taken.stream().flatMap(lock -> lock.owner().stream()).findFirst();
    }

    /** Returns the lease that most masters named, or any of several; empty if that is the value of another program, or kept. */
    private static Optional<LeaseToken> holder(List<Refused.Conflict> taken) {
        return taken.stream().collect(Collectors.groupingBy(Refused.Conflict::holder)).values().stream()
                .max(Comparator.comparing(List::size))
                .map(votes -> votes.get(0))
                .filter(Refused.Conflict::ours)
                .map(lock -> new LeaseToken(lock.holder()));
    }

    private Stream<Refused> refusals() {
        return collector.all(Refused.class).stream();
    }
}
