package io.quorumlock.simulation;

import io.quorumlock.time.MonotonicClock;
import io.quorumlock.time.MonotonicTime;
import java.time.Duration;
import java.util.Optional;

/** The clock of one machine: it starts anywhere and runs a little too fast or too slow. */
final class OwnClock implements MonotonicClock {
    private final Agenda agenda;
    private double rate;
    private long offset;
    private long stepped;
    private Duration suspended = Duration.ZERO;

    OwnClock(Agenda agenda, double rate, long offset) {
        this.agenda = agenda;
        this.rate = rate;
        this.offset = offset;
    }

    @Override
    public MonotonicTime now() {
        return new MonotonicTime(offset + (long) (agenda.now() * rate));
    }

    @Override
    public Optional<Duration> suspended() {
        return Optional.of(suspended);
    }

    /** Notes a suspension that the kernel knows of. */
    void wasSuspended(Duration more) {
        suspended = suspended.plus(more);
    }

    /** Returns how much true time passes while this clock counts so much. */
    long inTrueTime(long nanos) {
        return (long) Math.ceil(nanos / rate);
    }

    double rate() {
        return rate;
    }

    /** Makes it run faster or slower from now on; a rate of 0 stops it. */
    void run(double newRate) {
        offset = now().nanos() - (long) (agenda.now() * newRate);
        rate = newRate;
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
