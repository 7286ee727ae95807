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
record InspectVerdict(Optional<String> holder, boolean certain) {

    static Optional<InspectVerdict> decide(Ballot ballot) {
        Map<String, Long> counts = ballot.all(Holding.class).stream()
                .map(Holding::holder)
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
        Optional<Map.Entry<String, Long>> leader = counts.entrySet().stream().max(Map.Entry.comparingByValue());
        int most = leader.map(entry -> entry.getValue().intValue()).orElse(0);
        if (ballot.isMajority(most)) {
            return Optional.of(new InspectVerdict(leader.map(Map.Entry::getKey), true));
        }
        if (!ballot.canBeMajority(most + ballot.count(Failed.class))) {
            return Optional.of(new InspectVerdict(Optional.empty(), true));
        }
        return ballot.outstanding() > 0 ? Optional.empty() : Optional.of(new InspectVerdict(Optional.empty(), false));
    }
}
