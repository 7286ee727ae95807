package io.quorumlock.simulation;

import io.quorumlock.time.Moment;
import io.quorumlock.time.MonotonicClock;

/** Is the clock of one machine: it starts anywhere and runs a little too fast or too slow. */
final class OwnClock implements MonotonicClock {
    private final Agenda agenda;
    private final double rate;
    private long offset;
    private long stepped;

    OwnClock(Agenda agenda, double rate, long offset) {
        this.agenda = agenda;
        this.rate = rate;
        this.offset = offset;
    }

    @Override
    public Moment now() {
        return new Moment(offset + (long) (agenda.now() * rate));
    }

    /** Tells how much true time passes while this clock counts so much. */
    long inTrueTime(long nanos) {
        return (long) Math.ceil(nanos / rate);
    }

    /** Returns by how much the clock was set in all. */
    long stepped() {
        return stepped;
    }

    /** Sets the clock, as no clock does that keeps to the model. */
    void step(long nanos) {
        offset += nanos;
        stepped += nanos;
    }
}
