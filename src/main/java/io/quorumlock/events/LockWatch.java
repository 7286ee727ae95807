package io.quorumlock.events;

import java.time.Instant;

/** Tells what happens to locks, through whichever replica. What it tells may be late or missing: nothing may depend on it. */
@FunctionalInterface
public interface LockWatch {

    /** @param listener is told on the engine's loop, one thing after the other; must not take long */
    Watch watch(Listener listener);

    /** Hears what happens. */
    interface Listener {
        void changed(LockEvent change);

        /** Hears that changes may be missing. */
        void missed(Gap gap);
    }

    /**
     * Is a time in which too few of the nodes were listened to.
     *
     * @param until when all was as before; by this replica's wall clock, as the beginning
     */
    record Gap(Instant since, Instant until) {}

    /** Is one listener. */
    @FunctionalInterface
    interface Watch {
        void end();
    }
}
