package io.quorumlock.events;

import java.time.Instant;

/** A watch of lock events of all replicas. Events can be late or missing, so use them for display only. */
@FunctionalInterface
public interface LockWatch {

    /** @param listener called on the event loop, one event after the other; must not block */
    Watch watch(Listener listener);

    /** A listener to lock events. */
    interface Listener {
        void changed(LockEvent change);

        /** Called when events may be missing. */
        void missed(Gap gap);
    }

    /**
     * A period in which subscriptions covered fewer nodes than a majority.
     *
     * @param since start of the gap, by this replica's wall clock
     * @param until end of the gap, by the same clock
     */
    record Gap(Instant since, Instant until) {}

    /** A registered listener. */
    @FunctionalInterface
    interface Watch {
        void end();
    }
}
