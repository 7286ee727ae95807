package io.quorumlock.redlock;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;

/** The time of day by the wall clocks of the nodes. The clock of the replica does not matter: it may be wrong by years. */
final class FleetClock {
    private final List<LockNode> nodes;
    private final Quorum quorum;

    FleetClock(List<LockNode> nodes) {
        this.nodes = nodes;
        this.quorum = new Quorum(nodes.size());
    }

    /**
     * Returns the median of the clocks that were read lately, in milliseconds since 1970. It is right if more than half of
     * them are; of two in the middle it is the earlier one. Empty if fewer than a majority are known.
     */
    OptionalLong millis() {
        long[] readings = new long[nodes.size()];
        int known = 0;
        for (LockNode node : nodes) {
            long reading = node.wallClock().orElse(FencingClock.NO_TIME);
            if (FencingClock.isTime(reading)) {
                readings[known++] = reading;
            }
        }
        if (known < quorum.required()) {
            return OptionalLong.empty();
        }
        Arrays.sort(readings, 0, known);
        return OptionalLong.of(readings[(known - 1) / 2]);
    }
}
