package io.quorumlock.time;

import java.time.Duration;

/** Runs things later, on the one thread that owns the engine's state. */
@FunctionalInterface
public interface Scheduler {

    /** Runs {@code task} once, {@code delay} from now. */
    Timer after(Duration delay, Runnable task);

    /** Is a task that has not run yet. */
    @FunctionalInterface
    interface Timer {
        /** Forgets the task; does nothing if it ran already. */
        void cancel();
    }
}
