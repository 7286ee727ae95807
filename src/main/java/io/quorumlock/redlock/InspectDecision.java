package io.quorumlock.redlock;

import io.quorumlock.redlock.NodeReply.Failed;
import io.quorumlock.redlock.NodeReply.Holding;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Is what the nodes said of a resource.
 *
 * @param holder empty where nobody holds it on a majority
 * @param certain false where too few answered to tell
 */
record InspectDecision(Optional<String> holder, boolean certain) {

    static Optional<InspectDecision> decide(VoteCollector collector) {
        Map<String, Long> counts = collector.all(Holding.class).stream()
                .map(Holding::holder)
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
        Optional<Map.Entry<String, Long>> leader = counts.entrySet().stream().max(Map.Entry.comparingByValue());
        int most = leader.map(entry -> entry.getValue().intValue()).orElse(0);
        if (collector.isMajority(most)) {
            return Optional.of(new InspectDecision(leader.map(Map.Entry::getKey), true));
        }
        if (!collector.canBeMajority(most + collector.count(Failed.class))) {
            return Optional.of(new InspectDecision(Optional.empty(), true));
        }
        return collector.outstanding() > 0
                ? Optional.empty()
                : Optional.of(new InspectDecision(Optional.empty(), false));
    }
}
