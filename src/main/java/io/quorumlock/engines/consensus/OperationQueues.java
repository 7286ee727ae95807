// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.consensus;

import io.quorumlock.core.lock.NoQuorumReason.Effect;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.loop.EngineContext;
import io.quorumlock.engines.consensus.Operation.Conclusion;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * The operations of this replica, in order of arrival for each lock. One change of a lock is in progress at a time, so that
 * conflicts come from other replicas only. Operations on one lock that wait for it are written together.
 */
final class OperationQueues {
    private final Records records;
    private final Duration storeTimeout;
    private final EngineContext engineContext;
    private final Map<ResourceName, LockQueue> queues = new HashMap<>();

    OperationQueues(Records records, Duration storeTimeout, EngineContext engineContext) {
        this.records = records;
        this.storeTimeout = storeTimeout;
        this.engineContext = engineContext;
    }

    /** Runs an operation when its turn on all its locks has come. */
    <T> CompletableFuture<Conclusion<T>> run(Operation<T> operation) {
        PendingOperation<T> added = new PendingOperation<>(operation, engineContext.clock());
        for (ResourceName name : operation.resources().list()) {
            queues.computeIfAbsent(name, first -> new LockQueue()).add(added);
        }
        startIfFirst(added);
        return added.end();
    }

    private void startIfFirst(PendingOperation<?> next) {
        boolean first = !next.isStarted()
                && next.resources().list().stream()
                        .allMatch(name -> queues.get(name).first() == next);
        if (first) {
            boolean late = next.elapsed().compareTo(storeTimeout) > 0;
            List<PendingOperation<?>> group =
                    late ? List.of(next) : queues.get(next.resources().first()).group();
            group.forEach(PendingOperation::start);
            if (late) {
                next.failed(Effect.NONE);
                endAfter(Duration.ZERO, group);
            } else {
                new OperationGroup(
                                group,
                                records,
                                storeTimeout,
                                (needed, conflict) -> endAfter(pauseFor(group, needed, conflict), group))
                        .start();
            }
        }
    }

    private Duration pauseFor(List<PendingOperation<?>> group, Duration needed, boolean conflict) {
        return group.get(0).resources().list().stream()
                .map(name -> queues.get(name).pauseFor(needed, conflict))
                .max(Comparator.naturalOrder())
                .orElseThrow();
    }

    /** A group can end within the call that started it. If the next one started there, long queues would overflow the stack. */
    private void endAfter(Duration pause, List<PendingOperation<?>> group) {
        if (pause.isZero()) {
            engineContext.loop().execute(() -> ended(group));
        } else {
            engineContext.scheduler().after(pause, () -> ended(group));
        }
    }

    private void ended(List<PendingOperation<?>> group) {
        Set<PendingOperation<?>> next = new HashSet<>();
        for (ResourceName name : group.get(0).resources().list()) {
            LockQueue queue = queues.get(name);
            queue.remove(group.size());
            if (queue.isEmpty()) {
                queues.remove(name);
            } else {
                next.add(queue.first());
            }
        }
        next.forEach(this::startIfFirst);
    }
}
