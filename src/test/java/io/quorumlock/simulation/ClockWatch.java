package io.quorumlock.simulation;

import java.time.Duration;

/** Compares a master's clock with its replica's, as the heartbeat of a connection does, and doubts a master whose clock was set. */
final class ClockWatch {
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final Duration STEP = Duration.ofMillis(50);

    private final Replica replica;
    private final Master master;
    private long difference;

    ClockWatch(Replica replica, Master master) {
        this.replica = replica;
        this.master = master;
    }

    /** Forgets what was compared on an earlier connection. */
    void reset() {
        difference = difference();
    }

    void beatLater(Runnable beat) {
        replica.later(PAUSE, beat);
    }

    /** Says whether the clock was set since it was last compared. */
    boolean sawStep() {
        long before = difference;
        reset();
        return Math.abs(difference - before) > STEP.toNanos();
    }

    private long difference() {
        return master.clock.now().nanos() - replica.now().nanos();
    }
}
