// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.core.loop;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/** Utilities for calls from any thread on one event loop. */
public final class LoopCalls {
    private LoopCalls() {}

    /**
     * Runs a call on the event loop.
     *
     * @param call completes the future, now or later; if it throws, the future fails
     */
    public static <T> CompletableFuture<T> run(Executor loop, Consumer<CompletableFuture<T>> call) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        loop.execute(() -> failIfItThrows(answer, () -> call.accept(answer)));
        return answer;
    }

    /** Completes a future with the result of another one. Cancelling the first does not cancel the second. */
    public static <T> void follow(CompletableFuture<T> call, CompletableFuture<T> answer) {
        call.whenComplete((outcome, bug) -> {
            if (bug == null) {
                answer.complete(outcome);
            } else {
                answer.completeExceptionally(bug);
            }
        });
    }

    /** Runs a task on the current thread and fails the future if the task throws. */
    public static void failIfItThrows(CompletableFuture<?> answer, Runnable part) {
        try {
            part.run();
        } catch (RuntimeException | Error bug) {
            answer.completeExceptionally(bug);
        }
    }
}
