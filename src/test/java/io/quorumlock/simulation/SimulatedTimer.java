// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import io.quorumlock.core.loop.Scheduler;

/** A task that runs later unless it is cancelled. */
final class SimulatedTimer implements Scheduler.Timer, Runnable {
    private final EventQueue events;
    private final Runnable task;
    private boolean cancelled;
    private boolean due;

    SimulatedTimer(EventQueue events, Runnable task) {
        this.events = events;
        this.task = task;
    }

    @Override
    public void cancel() {
        if (!cancelled && !due) {
            events.cancelled(1);
        }
        cancelled = true;
    }

    /** Marks the task as due. */
    void markDue() {
        due = true;
        if (cancelled) {
            events.cancelled(-1);
        }
    }

    @Override
    public void run() {
        if (!cancelled) {
            task.run();
        }
    }
}
