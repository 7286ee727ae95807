package io.quorumlock.simulation;

import io.quorumlock.time.Scheduler;

/** A task that runs later unless it is cancelled. */
final class Appointment implements Scheduler.Timer, Runnable {
    private final Agenda agenda;
    private final Runnable task;
    private boolean calledOff;
    private boolean due;

    Appointment(Agenda agenda, Runnable task) {
        this.agenda = agenda;
        this.task = task;
    }

    @Override
    public void cancel() {
        if (!calledOff && !due) {
            agenda.calledOff(1);
        }
        calledOff = true;
    }

    /** Notes that its time has come. */
    void comesDue() {
        due = true;
        if (calledOff) {
            agenda.calledOff(-1);
        }
    }

    @Override
    public void run() {
        if (!calledOff) {
            task.run();
        }
    }
}
