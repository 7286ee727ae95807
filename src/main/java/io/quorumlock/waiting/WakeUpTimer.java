// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.waiting;

import io.quorumlock.time.EngineContext;
import io.quorumlock.time.MonotonicTime;
import io.quorumlock.time.Scheduler;
import java.time.Duration;

/** The timer of a queue. It triggers the next attempt if no announcement does (R12). */
final class WakeUpTimer {
    private final EngineContext engineContext;
    private final Runnable task;
    private Scheduler.Timer timer;
    private MonotonicTime due;

    WakeUpTimer(EngineContext engineContext, Runnable task) {
        this.engineContext = engineContext;
        this.task = task;
    }

    /** Runs the task after this delay and cancels an earlier schedule. */
    void schedule(Duration delay) {
        cancel();
        due = engineContext.clock().now().plus(delay);
        timer = engineContext.scheduler().after(delay, () -> {
            timer = null;
            task.run();
        });
    }

    /** Runs the task after this delay, unless it is scheduled earlier. */
    void scheduleAtLatest(Duration delay) {
        MonotonicTime latest = engineContext.clock().now().plus(delay);
        if (timer == null || latest.isBefore(due)) {
            schedule(delay);
        }
    }

    void cancel() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }
}
