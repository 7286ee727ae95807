// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redlock;

import io.quorumlock.engine.EngineSettings;
import io.quorumlock.time.Backoff;
import io.quorumlock.time.EngineContext;
import io.quorumlock.time.MonotonicTime;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/**
 * The deletes on one master. They are retried until the master acknowledges them or the values have expired (R5). The number
 * of retries is limited (R14): while a master is away, further ones are dropped, and the values expire. Most of those
 * values were never written, because the master was already away.
 */
final class PendingDeletes {
    private static final int BATCH_SIZE = 64;
    private static final Duration FIRST_DELAY = Duration.ofMillis(25);
    private static final Duration MAX_DELAY = Duration.ofSeconds(1);

    private final LockMaster master;
    private final EngineSettings settings;
    private final EngineContext engineContext;
    private final Backoff backoff;
    private final Deque<PendingDelete> waiting = new ArrayDeque<>();
    /** Number of deletes that are repeated later because the master did not have the value. */
    private int repeats;

    private boolean active;

    /** @param repeated whether the delete is repeated if the master does not have the value yet */
    private record PendingDelete(DeleteCondition condition, MonotonicTime end, boolean repeated) {}

    PendingDeletes(LockMaster master, EngineSettings settings, EngineContext engineContext) {
        this.master = master;
        this.settings = settings;
        this.engineContext = engineContext;
        this.backoff = new Backoff(FIRST_DELAY, MAX_DELAY, engineContext.random());
    }

    /**
     * Deletes the matching value now.
     *
     * @param repeated whether to delete again if the master does not have the value: a command of another replica may
     *     still write it, up to the timeout of a command later
     * @param reply receives the first reply of the master
     */
    void delete(DeleteCondition condition, MonotonicTime end, boolean repeated, Consumer<MasterReply> reply) {
        PendingDelete delete = new PendingDelete(condition, end, repeated);
        master.release(condition, result -> {
            settle(delete, result);
            reply.accept(result);
        });
    }

    int size() {
        return waiting.size();
    }

    private void settle(PendingDelete delete, MasterReply reply) {
        if (reply instanceof MasterReply.Failed) {
            retry(delete);
        } else if (!(reply instanceof MasterReply.Deleted) && delete.repeated() && repeats < settings.cleanUpsMax()) {
            repeats++;
            engineContext.scheduler().after(settings.callTimeout(), () -> {
                repeats--;
                retry(new PendingDelete(delete.condition(), delete.end(), false));
            });
        }
    }

    private void retry(PendingDelete delete) {
        if (waiting.size() < settings.cleanUpsMax()) {
            waiting.addLast(delete);
        }
        if (!active) {
            active = true;
            retryLater();
        }
    }

    private void retryLater() {
        engineContext.scheduler().after(backoff.next(), this::retryBatch);
    }

    private void retryBatch() {
        List<PendingDelete> batch = nextBatch();
        if (batch.isEmpty()) {
            active = false;
            backoff.reset();
            return;
        }
        BatchReplies replies = new BatchReplies(batch.size());
        for (PendingDelete delete : batch) {
            master.release(delete.condition(), reply -> replies.receive(delete, reply));
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

    /** The replies to one batch. The next batch is sent after all of them, so that a silent master is not overloaded. */
    private final class BatchReplies {
        private int outstanding;
        private boolean allAcknowledged = true;

        BatchReplies(int outstanding) {
            this.outstanding = outstanding;
        }

        void receive(PendingDelete delete, MasterReply reply) {
            allAcknowledged &= !(reply instanceof MasterReply.Failed);
            settle(delete, reply);
            if (--outstanding == 0) {
                if (allAcknowledged) {
                    backoff.reset();
                    engineContext.loop().execute(PendingDeletes.this::retryBatch);
                } else {
                    retryLater();
                }
            }
        }
    }
}
