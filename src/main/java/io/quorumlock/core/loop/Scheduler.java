// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.core.loop;

import java.time.Duration;

/** A scheduler of tasks on the event loop that owns the engine's state. */
@FunctionalInterface
public interface Scheduler {

    /** Runs {@code task} once, after {@code delay}. */
    Timer after(Duration delay, Runnable task);

    /** A scheduled task. */
    @FunctionalInterface
    interface Timer {
        /** Cancels the task. Has no effect after it ran. */
        void cancel();
    }
}
