package io.quorumlock.redlock;

import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.Owner;
import io.quorumlock.redlock.NodeReply.Adopted;
import io.quorumlock.redlock.NodeReply.Granted;
import io.quorumlock.redlock.NodeReply.Refused;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Reads the votes on one acquire. */
record AcquireVotes(Duration ttl, VoteCollector collector) {

    int count() {
        return collector.count(NodeReplies::isVote);
    }

    /** Says whether a majority wrote this attempt's value; else the lease was granted to an earlier attempt. */
    boolean areNew() {
        return collector.isMajority(collector.count(Granted.class));
    }

    /** Says whether this attempt's value may stand on a majority: nodes that did not answer may have taken it. */
    boolean mayBeMajority() {
        return collector.canBeMajority(collector.count(NodeReplies::mayHoldOwnValue));
    }

    /** Says whether several won votes, and none a majority as far as this attempt knows: maybe nobody holds the lock. */
    boolean areSplit() {
        Map<String, Long> others = collector.all(Refused.class).stream()
                .collect(Collectors.groupingBy(Refused::holder, Collectors.counting()));
        boolean several = others.size() + (collector.count(Granted.class) > 0 ? 1 : 0) > 1;
        return several && others.values().stream().noneMatch(votes -> collector.isMajority(votes.intValue()));
    }

    int extensionsUsed() {
        return collector.all(Adopted.class).stream()
                .mapToInt(Adopted::extensionsUsed)
                .max()
                .orElse(0);
    }

    /** Finds for how long a majority keeps the lock: with adopted votes that is what is left of an earlier grant. */
    Duration leftOnMajority() {
        List<Duration> left = new ArrayList<>();
        collector.all(Granted.class).forEach(vote -> left.add(ttl));
        collector.all(Adopted.class).forEach(vote -> left.add(min(vote.remaining(), ttl)));
        left.sort(Comparator.reverseOrder());
        return left.get(collector.required() - 1);
    }

    /** Finds when, by what the refusals say, enough nodes are free for a majority. */
    Duration untilMajorityFree() {
        int missing = Math.max(1, collector.required() - count());
        List<Duration> ends = collector.all(Refused.class).stream()
                .map(Refused::remaining)
                .sorted()
                .toList();
        return ends.isEmpty() ? Duration.ZERO : ends.get(Math.min(missing, ends.size()) - 1);
    }

    /** Finds the lease that most nodes named; there is none if another program's value was named as often. */
    Optional<LeaseToken> holder() {
        Map<String, List<Refused>> holders =
                collector.all(Refused.class).stream().collect(Collectors.groupingBy(Refused::holder));
        return holders.values().stream()
                .max(Comparator.comparing(List::size))
                .map(votes -> votes.get(0))
                .filter(Refused::ours)
                .map(refusal -> new LeaseToken(refusal.holder()));
    }

    Optional<Owner> owner() {
        return collector.all(Refused.class).stream()
                .flatMap(refusal -> refusal.owner().stream())
                .findFirst();
    }

    private static Duration min(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }
}
