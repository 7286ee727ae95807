package io.quorumlock.redlock;

import io.quorumlock.lock.Owner;
import io.quorumlock.redlock.NodeReply.Adopted;
import io.quorumlock.redlock.NodeReply.Granted;
import io.quorumlock.redlock.NodeReply.Refused;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads the votes on one acquire. */
record AcquireVotes(Duration ttl, Ballot ballot) {

    int count() {
        return ballot.count(NodeReplies::isVote);
    }

    /** Says whether a majority wrote this attempt's value; else the lease was granted to an earlier attempt. */
    boolean areNew() {
        return ballot.isMajority(ballot.count(Granted.class));
    }

    /** Says whether several won votes, and none a majority as far as this attempt knows: maybe nobody holds the lock. */
    boolean areSplit() {
        Map<String, Long> others =
                ballot.all(Refused.class).collect(Collectors.groupingBy(Refused::holder, Collectors.counting()));
        boolean several = others.size() + (ballot.count(Granted.class) > 0 ? 1 : 0) > 1;
        return several && others.values().stream().noneMatch(votes -> ballot.isMajority(votes.intValue()));
    }

    int extensionsUsed() {
        return ballot.all(Adopted.class).mapToInt(Adopted::extensionsUsed).max().orElse(0);
    }

    /** Finds for how long a majority keeps the lock: with adopted votes that is what is left of an earlier grant. */
    Duration leftOnMajority() {
        Stream<Duration> granted = ballot.all(Granted.class).map(vote -> ttl);
        Stream<Duration> adopted = ballot.all(Adopted.class).map(vote -> min(vote.remaining(), ttl));
        return Stream.concat(granted, adopted)
                .sorted(Comparator.reverseOrder())
                .skip(ballot.required() - 1)
                .findFirst()
                .orElseThrow();
    }

    /** Finds when, by what the refusals say, enough nodes are free for a majority. */
    Duration untilMajorityFree() {
        int missing = Math.max(1, ballot.required() - count());
        List<Duration> ends =
                ballot.all(Refused.class).map(Refused::remaining).sorted().toList();
        return ends.isEmpty() ? Duration.ZERO : ends.get(Math.min(missing, ends.size()) - 1);
    }

    Optional<Owner> owner() {
        return ballot.all(Refused.class)
                .flatMap(refusal -> refusal.owner().stream())
                .findFirst();
    }

    private static Duration min(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }
}
