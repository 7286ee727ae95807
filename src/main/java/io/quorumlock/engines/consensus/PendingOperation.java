// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.consensus;

import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.NoQuorumReason.Effect;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.core.loop.LoopCalls;
import io.quorumlock.core.loop.MonotonicClock;
import io.quorumlock.core.loop.MonotonicTime;
import io.quorumlock.engines.consensus.Operation.Conclusion;
import io.quorumlock.engines.consensus.Operation.Step;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** An operation that waits for its turn, or for the store. A bug in it ends no other operation. */
final class PendingOperation<T> {
    private final Operation<T> operation;
    private final MonotonicClock clock;
    private final MonotonicTime began;
    private final CompletableFuture<Conclusion<T>> end = new CompletableFuture<>();
    /** Empty if the outcome is that of the write. */
    private Optional<Conclusion<T>> conclusion = Optional.empty();

    private boolean started;

    PendingOperation(Operation<T> operation, MonotonicClock clock) {
        this.operation = operation;
        this.clock = clock;
        this.began = clock.now();
    }

    CompletableFuture<Conclusion<T>> end() {
        return end;
    }

    ResourceNames resources() {
        return operation.resources();
    }

    Set<LeaseToken> tokens() {
        return operation.tokens();
    }

    Duration elapsed() {
        return clock.now().since(began);
    }

    boolean isStarted() {
        return started;
    }

    void start() {
        started = true;
    }

    /**
     * Decides, and returns the locks as the operation leaves them.
     *
     * @param hints whether a hint may be written
     * @param marks whether an operation whose outcome is decided may write anything
     */
    Snapshot decide(Snapshot seen, boolean hints, boolean marks) {
        if (end.isDone()) {
            return seen;
        }
        try {
            Step<T> step = operation.decide(seen);
            conclusion = step.conclusion();
            boolean writes = !isDecided() || marks && (hints || !step.hint());
            return writes ? step.after() : seen;
        } catch (RuntimeException | Error bug) {
            fail(bug);
            return seen;
        }
    }

    /** Returns whether the outcome is decided, whatever the write of the group changes. */
    boolean isDecided() {
        return conclusion.isPresent();
    }

    /** Ends after the write of the group, or without one if all decided so on a fresh read. */
    void written(Snapshot after) {
        LoopCalls.failIfItThrows(
                end, () -> end.complete(conclusion.orElseGet(() -> operation.written(after, elapsed()))));
    }

    /** Ends without an answer to the write of the group, or to a read. */
    void failed(Effect effect) {
        LoopCalls.failIfItThrows(
                end, () -> end.complete(operation.failed(conclusion.isPresent() ? Effect.NONE : effect)));
    }

    void fail(Throwable bug) {
        end.completeExceptionally(bug);
    }
}
