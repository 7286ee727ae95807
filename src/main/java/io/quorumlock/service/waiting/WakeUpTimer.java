// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.service.waiting;

import io.quorumlock.core.loop.EngineContext;
import io.quorumlock.core.loop.MonotonicTime;
import io.quorumlock.core.loop.Scheduler;
import java.time.Duration;

/** The timer of a queue. It triggers the next attempt if no announcement does (R12). */
final class WakeUpTimer {
    private final EngineContext engineContext;
    private Scheduler.Timer timer = () -> {};
    private MonotonicTime due;
    private boolean scheduled;

    WakeUpTimer(EngineContext engineContext) {
        this.engineContext = engineContext;
        this.due = engineContext.clock().now();
    }

    /** Runs the task after this delay and cancels an earlier schedule. */
    void schedule(Duration delay, Runnable task) {
        timer.cancel();
        scheduled = true;
        due = engineContext.clock().now().plus(delay);
        timer = engineContext.scheduler().after(delay, () -> {
            scheduled = false;
            task.run();
        });
    }

    /** Runs the task after this delay instead of the scheduled one, if there is one and it is due later. */
    void advance(Duration delay, Runnable task) {
        if (scheduled && engineContext.clock().now().plus(delay).isBefore(due)) {
            schedule(delay, task);
        }
    }

    void cancel() {
        timer.cancel();
        scheduled = false;
    }
}
