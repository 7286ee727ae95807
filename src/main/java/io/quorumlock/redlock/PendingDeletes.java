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

    private record PendingDelete(DeleteCondition condition, MonotonicTime end, Owner owner) {}

    /** The attempt or release on whose behalf values are deleted. */
    interface Owner {
        /** An attempt, whose deletes match its own values only. */
        Owner ATTEMPT = new Owner() {
            @Override
            public Retries retries() {
                return Retries.WANTED;
            }

            @Override
            public void deleteEnded() {}
        };

        Retries retries();

        /** A node has acknowledged its delete, or it is not retried any more. */
        void deleteEnded();
    }

    /** Whether a delete is sent again. */
    enum Retries {
        WANTED,
        POSTPONED,
        UNWANTED
    }

    PendingDeletes(LockNode node, int maxSize, EngineContext engineContext) {
        this.node = node;
        this.maxSize = maxSize;
        this.engineContext = engineContext;
        this.backoff = new Backoff(FIRST_DELAY, MAX_DELAY, engineContext.random());
    }

    void add(DeleteCondition condition, MonotonicTime end, Owner owner) {
        enqueue(new PendingDelete(condition, end, owner));
        if (!active) {
            active = true;
            retryLater();
        }
    }

    int size() {
        return waiting.size();
    }

    private void enqueue(PendingDelete delete) {
        if (waiting.size() < maxSize && delete.owner().retries() != Retries.UNWANTED) {
            waiting.addLast(delete);
        } else {
            delete.owner().deleteEnded();
        }
    }

    private void retryLater() {
        engineContext.scheduler().after(backoff.next(), this::retry);
    }

    private void retry() {
        List<PendingDelete> batch = nextBatch();
        if (waiting.isEmpty() && batch.isEmpty()) {
            active = false;
            backoff.reset();
            return;
        }
        if (batch.isEmpty()) {
            retryLater();
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
        for (int left = waiting.size(); left > 0 && batch.size() < BATCH_SIZE; left--) {
            PendingDelete delete = waiting.pollFirst();
            Retries retries = delete.owner().retries();
            if (retries == Retries.UNWANTED || !now.isBefore(delete.end())) {
                delete.owner().deleteEnded();
            } else if (retries == Retries.WANTED) {
                batch.add(delete);
            } else {
                waiting.addLast(delete);
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
            } else {
                delete.owner().deleteEnded();
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
