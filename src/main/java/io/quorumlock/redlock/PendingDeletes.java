// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redlock;

import io.quorumlock.time.Backoff;
import io.quorumlock.time.EngineContext;
import io.quorumlock.time.MonotonicTime;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The deletes that one node has not acknowledged yet. They are retried until the node acknowledges them or the values
 * have expired (R5). The number is limited (R14): while a node is away, further deletes are dropped, and the values
 * expire. Most of those values were never written, because the node was already away.
 */
final class PendingDeletes {
    private static final int BATCH_SIZE = 64;
    private static final Duration FIRST_DELAY = Duration.ofMillis(25);
    private static final Duration MAX_DELAY = Duration.ofSeconds(1);

    private final LockNode node;
    private final int maxSize;
    private final EngineContext engineContext;
    private final Backoff backoff;
    private final Deque<PendingDelete> waiting = new ArrayDeque<>();
    private boolean active;

    private record PendingDelete(DeleteCondition condition, MonotonicTime end) {}

    PendingDeletes(LockNode node, int maxSize, EngineContext engineContext) {
        this.node = node;
        this.maxSize = maxSize;
        this.engineContext = engineContext;
        this.backoff = new Backoff(FIRST_DELAY, MAX_DELAY, engineContext.random());
    }

    void add(DeleteCondition condition, MonotonicTime end) {
        enqueue(new PendingDelete(condition, end));
        if (!active) {
            active = true;
            retryLater();
        }
    }

    int size() {
        return waiting.size();
    }

    private void enqueue(PendingDelete delete) {
        if (waiting.size() < maxSize) {
            waiting.addLast(delete);
        }
    }

    private void retryLater() {
        engineContext.scheduler().after(backoff.next(), this::retry);
    }

    private void retry() {
        List<PendingDelete> batch = nextBatch();
        if (batch.isEmpty()) {
            active = false;
            backoff.reset();
            return;
        }
        BatchReplies replies = new BatchReplies(batch.size());
        for (PendingDelete delete : batch) {
            node.release(delete.condition(), reply -> replies.receive(delete, reply));
        }
    }

    private List<PendingDelete> nextBatch() {
        MonotonicTime now = engineContext.clock().now();
        List<PendingDelete> batch = new ArrayList<>();
        while (!waiting.isEmpty() && batch.size() < BATCH_SIZE) {
            PendingDelete delete = waiting.pollFirst();
            if (now.isBefore(delete.end())) {
                batch.add(delete);
            }
        }
        return batch;
    }

    /** The replies to one batch. The next batch is sent after all of them, so that a silent node is not overloaded. */
    private final class BatchReplies {
        private int outstanding;
        private boolean allAcknowledged = true;

        BatchReplies(int outstanding) {
            this.outstanding = outstanding;
        }

        void receive(PendingDelete delete, NodeReply reply) {
            if (reply instanceof NodeReply.Failed) {
                allAcknowledged = false;
                enqueue(delete);
            }
            if (--outstanding == 0) {
                if (allAcknowledged) {
                    backoff.reset();
                    engineContext.loop().execute(PendingDeletes.this::retry);
                } else {
                    retryLater();
                }
            }
        }
    }
}
