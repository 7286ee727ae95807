// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.waiting;

import io.quorumlock.time.EngineContext;
import io.quorumlock.time.MonotonicTime;
import io.quorumlock.time.Scheduler;
import java.time.Duration;

/** The timer of a queue. It triggers the next attempt if no announcement does (R12). */
final class WakeUpTimer {
    private final EngineContext engineContext;
    private Scheduler.Timer timer = () -> {};
    private MonotonicTime due;

    WakeUpTimer(EngineContext engineContext) {
        this.engineContext = engineContext;
        this.due = engineContext.clock().now();
    }

    /** Runs the task after this delay and cancels an earlier schedule. */
    void schedule(Duration delay, Runnable task) {
        timer.cancel();
        timer = engineContext.scheduler().after(delay, task);
        due = engineContext.clock().now().plus(delay);
    }

    /** Runs the task after this delay, unless a task is scheduled earlier. */
    void scheduleAtLatest(Duration delay, Runnable task) {
        if (engineContext.clock().now().plus(delay).isBefore(due)) {
            schedule(delay, task);
        }
    }

    void cancel() {
        timer.cancel();
    }
}
