package io.quorumlock.time;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/** Calls that are made from any thread and carried out on one loop. */
public final class LoopCalls {
    private LoopCalls() {}

    /**
     * Runs a call on the loop.
     *
     * @param call completes the answer, now or later; if it throws, the answer fails, which otherwise nobody would complete
     */
    public static <T> CompletableFuture<T> run(Executor loop, Consumer<CompletableFuture<T>> call) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        loop.execute(() -> failIfItThrows(answer, () -> call.accept(answer)));
        return answer;
    }

    /** Completes an answer as another call ends. Cancelling the answer does not touch that call. */
    public static <T> void follow(CompletableFuture<T> call, CompletableFuture<T> answer) {
        call.whenComplete((outcome, bug) -> {
            if (bug == null) {
                answer.complete(outcome);
            } else {
                answer.completeExceptionally(bug);
            }
        });
    }

    /** Runs a part of a call, on its loop already; if it throws, the answer fails. */
    public static void failIfItThrows(CompletableFuture<?> answer, Runnable part) {
        try {
            part.run();
        } catch (RuntimeException | Error bug) {
            answer.completeExceptionally(bug);
        }
    }
}
