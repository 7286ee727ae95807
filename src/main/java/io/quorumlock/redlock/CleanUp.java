// SPDX-License-Identifier: Apache-2.0
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
 * The deletion of values of failed attempts (R5) and of released leases, with retries on nodes that did not answer.
 */
final class CleanUp {
    private final Map<LockNode, PendingDeletes> pendingDeletes;
    private final EngineContext engineContext;

    CleanUp(List<LockNode> nodes, int maxPending, EngineContext engineContext) {
        this.engineContext = engineContext;
        this.pendingDeletes = nodes.stream()
                .collect(Collectors.toMap(
                        Function.identity(), node -> new PendingDeletes(node, maxPending, engineContext)));
    }

    /**
     * Deletes the matching value from a node now. Retries until the node acknowledges it or the TTL is over.
     *
     * @param ttl time after which the value has expired
     * @param reply receives the first reply of the node
     */
    void delete(LockNode node, DeleteCondition condition, Duration ttl, Consumer<NodeReply> reply) {
        MonotonicTime end = engineContext.clock().now().plus(ttl);
        node.release(condition, result -> {
            if (result instanceof NodeReply.Failed) {
                pendingDeletes.get(node).add(condition, end);
            }
            reply.accept(result);
        });
    }

    /** Returns the number of deletes to retry. */
    int pending() {
        return pendingDeletes.values().stream().mapToInt(PendingDeletes::size).sum();
    }
}
