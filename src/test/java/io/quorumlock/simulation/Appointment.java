// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import io.quorumlock.time.Scheduler;

/** A task that runs later unless it is cancelled. */
final class Appointment implements Scheduler.Timer, Runnable {
    private final Agenda agenda;
    private final Runnable task;
    private boolean cancelled;
    private boolean due;

    Appointment(Agenda agenda, Runnable task) {
        this.agenda = agenda;
        this.task = task;
    }

    @Override
    public void cancel() {
        if (!cancelled && !due) {
            agenda.cancelled(1);
        }
        cancelled = true;
    }

    /** Marks the task as due. */
    void markDue() {
        due = true;
        if (cancelled) {
            agenda.cancelled(-1);
        }
    }

    @Override
    public void run() {
        if (!cancelled) {
            task.run();
        }
    }
}
