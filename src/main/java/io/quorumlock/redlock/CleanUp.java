package io.quorumlock.redlock;

import io.quorumlock.time.Moment;
import io.quorumlock.time.Surroundings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Deletes what must not stay: the values of failed attempts (R5), and released leases on nodes that could not be reached at
 * once.
 */
final class CleanUp {
    private final Map<LockNode, Leftovers> leftovers;
    private final Surroundings surroundings;

    CleanUp(List<LockNode> nodes, int most, Surroundings surroundings) {
        this.surroundings = surroundings;
        this.leftovers = nodes.stream()
                .collect(Collectors.toMap(Function.identity(), node -> new Leftovers(node, most, surroundings)));
    }

    /**
     * Deletes the stake from a node now, and again until the node acknowledges it.
     *
     * @param ttl after which it has ended by itself
     * @param reply hears what the node said first
     */
    void delete(LockNode node, Stake stake, Duration ttl, Consumer<NodeReply> reply) {
        Moment end = surroundings.clock().now().plus(ttl);
        node.release(stake, said -> {
            if (said instanceof NodeReply.Failed) {
                leftovers.get(node).add(stake, end);
            }
            reply.accept(said);
        });
    }

    /** Counts what is still to be deleted. */
    int pending() {
        return leftovers.values().stream().mapToInt(Leftovers::size).sum();
    }
}
