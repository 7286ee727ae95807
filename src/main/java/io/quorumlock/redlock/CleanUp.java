package io.quorumlock.redlock;

import io.quorumlock.time.EngineContext;
import io.quorumlock.time.MonotonicTime;
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
    private final Map<LockNode, PendingDeletes> pendingDeletes;
    private final EngineContext engineContext;

    CleanUp(List<LockNode> nodes, int most, EngineContext engineContext) {
        this.engineContext = engineContext;
        this.pendingDeletes = nodes.stream()
                .collect(Collectors.toMap(Function.identity(), node -> new PendingDeletes(node, most, engineContext)));
    }

    /**
     * Deletes the stake from a node now, and again until the node acknowledges it.
     *
     * @param ttl after which it has ended by itself
     * @param reply hears what the node said first
     */
    void delete(LockNode node, DeleteCondition condition, Duration ttl, Consumer<NodeReply> reply) {
        MonotonicTime end = engineContext.clock().now().plus(ttl);
        node.release(condition, said -> {
            if (said instanceof NodeReply.Failed) {
                pendingDeletes.get(node).add(condition, end);
            }
            reply.accept(said);
        });
    }

    /** Counts what is still to be deleted. */
    int pending() {
        return pendingDeletes.values().stream().mapToInt(PendingDeletes::size).sum();
    }
}
