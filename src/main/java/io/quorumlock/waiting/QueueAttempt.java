package io.quorumlock.waiting;

import io.quorumlock.lock.Acquisition;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;

/** The attempt that a queue makes for one of its waiters. */
record QueueAttempt(Waiter waiter, CompletableFuture<Acquisition> attempt) {

    /** Tells on the loop how the attempt ended. A caller who leaves cancels it on a thread of its own. */
    void whenEnded(Executor loop, BiConsumer<Acquisition, Throwable> listener) {
        attempt.whenComplete((outcome, bug) -> {
            if (attempt.isCancelled()) {
                loop.execute(() -> listener.accept(outcome, bug));
            } else {
                listener.accept(outcome, bug);
            }
        });
        waiter.tries(attempt);
    }
}
