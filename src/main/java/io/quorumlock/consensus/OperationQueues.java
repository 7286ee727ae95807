// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.consensus;

import io.quorumlock.consensus.Operation.Conclusion;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.NoQuorumReason.Effect;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.time.EngineContext;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * The operations of this replica, in order of arrival for each lock. One change of a lock is in progress at a time, so that
 * conflicts come from other replicas only. Operations on one lock that wait for it are written together.
 */
final class OperationQueues {
    /** Limits the size of a write. */
    private static final int MOST_TOGETHER = 64;

    private final Records records;
    private final Duration storeTimeout;
    private final EngineContext engineContext;
    private final Map<ResourceName, Deque<PendingOperation<?>>> queues = new HashMap<>();

    OperationQueues(Records records, Duration storeTimeout, EngineContext engineContext) {
        this.records = records;
        this.storeTimeout = storeTimeout;
        this.engineContext = engineContext;
    }

    /** Runs an operation when its turn on all its locks has come. */
    <T> CompletableFuture<Conclusion<T>> run(Operation<T> operation) {
        PendingOperation<T> added = new PendingOperation<>(operation, engineContext.clock());
        for (ResourceName name : operation.resources().list()) {
            queues.computeIfAbsent(name, first -> new ArrayDeque<>()).add(added);
        }
        startIfFirst(added);
        return added.end();
    }

    /** Returns a text that no other write has. */
    String nextWrite() {
        return Long.toUnsignedString(engineContext.random().nextLong(), Character.MAX_RADIX);
    }

    private void startIfFirst(PendingOperation<?> next) {
        // The end of one operation may start others before this call returns.
        boolean first = !next.isStarted()
                && next.resources().list().stream()
                        .allMatch(name -> queues.get(name).peekFirst() == next);
        if (first) {
            List<PendingOperation<?>> group = groupOf(next);
            group.forEach(PendingOperation::start);
            if (next.elapsed().compareTo(storeTimeout) > 0) {
                group.forEach(one -> one.failed(Effect.NONE));
                ended(group);
            } else {
                new OperationGroup(group, records, () -> ended(group)).start();
            }
        }
    }

    /** Returns the operations to write together: none of them sees what another one wrote for its token. */
    private List<PendingOperation<?>> groupOf(PendingOperation<?> first) {
        List<PendingOperation<?>> group = new ArrayList<>(List.of(first));
        Set<LeaseToken> tokens = new HashSet<>();
        if (first.resources().count() == 1 && first.token().filter(tokens::add).isPresent()) {
            queues.get(first.resources().first()).stream()
                    .skip(1)
                    .takeWhile(one -> one.resources().count() == 1
                            && one.token().filter(tokens::add).isPresent())
                    .limit(MOST_TOGETHER - 1L)
                    .forEach(group::add);
        }
        return group;
    }

    private void ended(List<PendingOperation<?>> group) {
        Set<PendingOperation<?>> next = new HashSet<>();
        for (ResourceName name : group.get(0).resources().list()) {
            Deque<PendingOperation<?>> queue = queues.get(name);
            group.forEach(one -> queue.removeFirst());
            Optional.ofNullable(queue.peekFirst()).ifPresentOrElse(next::add, () -> queues.remove(name));
        }
        next.forEach(this::startIfFirst);
    }
}
