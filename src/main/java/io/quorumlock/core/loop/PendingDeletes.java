// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.core.loop;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The deletes on one server. They are repeated until the server acknowledges them or what they delete has expired (R5). The
 * number of pending ones is limited (R14): while a server is away, further ones are sent once, and what they should delete
 * expires. Most of that was never written, because the server was already away.
 *
 * @param <D> a delete
 * @param <R> the reply of the server
 */
public final class PendingDeletes<D, R> {
    private static final int BATCH_SIZE = 64;
    private static final Duration FIRST_DELAY = Duration.ofMillis(25);
    private static final Duration LONGEST_DELAY = Duration.ofSeconds(1);

    private final BiConsumer<D, Consumer<R>> server;
    private final Function<R, Result> resultOf;
    private final EngineSettings settings;
    private final EngineContext engineContext;
    private final Backoff backoff;
    private final Deque<PendingDelete<D>> waiting = new ArrayDeque<>();
    private int pending;
    private boolean active;

    /** The result of one try. */
    public enum Result {
        DELETED,
        /** There was nothing to delete, but a call without a reply may still write it. */
        NOTHING_FOUND,
        /** The server did not reply, or there may be more to delete. */
        UNFINISHED
    }

    /** @param again whether it is repeated if nothing is found */
    private record PendingDelete<D>(D delete, MonotonicTime end, boolean again) {}

    /**
     * @param server makes one try, and replies once
     * @param resultOf understands the reply
     */
    public PendingDeletes(
            BiConsumer<D, Consumer<R>> server,
            Function<R, Result> resultOf,
            EngineSettings settings,
            EngineContext engineContext) {
        this.server = server;
        this.resultOf = resultOf;
        this.settings = settings;
        this.engineContext = engineContext;
        this.backoff = new Backoff(FIRST_DELAY, LONGEST_DELAY, engineContext.random());
    }

    /**
     * Makes the first try now.
     *
     * @param longest time after which there is nothing left to delete
     * @param again whether to delete again if nothing is found: a call of another replica may still write it, up to the
     *     timeout of a call later
     * @param reply receives the first reply
     */
    public void delete(D delete, Duration longest, boolean again, Consumer<R> reply) {
        boolean repeated = pending < settings.cleanUpsMax();
        PendingDelete<D> first =
                new PendingDelete<>(delete, engineContext.clock().now().plus(longest), again);
        pending += repeated ? 1 : 0;
        server.accept(delete, result -> {
            if (repeated) {
                settle(first, resultOf.apply(result));
            }
            reply.accept(result);
        });
    }

    /** Returns the number of deletes that have not ended. */
    public int pending() {
        return pending;
    }

    private void settle(PendingDelete<D> delete, Result result) {
        if (result == Result.UNFINISHED) {
            retry(delete);
        } else if (result == Result.NOTHING_FOUND && delete.again()) {
            PendingDelete<D> last = new PendingDelete<>(delete.delete(), delete.end(), false);
            engineContext.scheduler().after(settings.callTimeout(), () -> retry(last));
        } else {
            pending--;
        }
    }

    private void retry(PendingDelete<D> delete) {
        waiting.addLast(delete);
        if (!active) {
            active = true;
            retryLater();
        }
    }

    private void retryLater() {
        engineContext.scheduler().after(backoff.next(), this::retryBatch);
    }

    private void retryBatch() {
        List<PendingDelete<D>> batch = nextBatch();
        if (batch.isEmpty()) {
            active = false;
            backoff.reset();
            return;
        }
        BatchResults results = new BatchResults(batch.size());
        for (PendingDelete<D> delete : batch) {
            server.accept(delete.delete(), reply -> results.receive(delete, resultOf.apply(reply)));
        }
    }

    private List<PendingDelete<D>> nextBatch() {
        MonotonicTime now = engineContext.clock().now();
        List<PendingDelete<D>> batch = new ArrayList<>();
        while (!waiting.isEmpty() && batch.size() < BATCH_SIZE) {
            PendingDelete<D> delete = waiting.pollFirst();
            if (now.isBefore(delete.end())) {
                batch.add(delete);
            } else {
                pending--;
            }
        }
        return batch;
    }

    /** The results of one batch. The next batch is sent after all of them, so that a silent server is not overloaded. */
    private final class BatchResults {
        private int outstanding;
        private boolean allFinished = true;

        BatchResults(int outstanding) {
            this.outstanding = outstanding;
        }

        void receive(PendingDelete<D> delete, Result result) {
            allFinished &= result != Result.UNFINISHED;
            settle(delete, result);
            if (--outstanding == 0) {
                if (allFinished) {
                    backoff.reset();
                    engineContext.loop().execute(PendingDeletes.this::retryBatch);
                } else {
                    retryLater();
                }
            }
        }
    }
}
