package io.quorumlock.waiting;

import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.LockEngine;
import io.quorumlock.time.Surroundings;
import java.time.Duration;

/** Dependencies shared by all queues. */
record QueueContext(
        LockEngine engine,
        int quorum,
        double drift,
        ReleaseSignal signal,
        Surroundings surroundings,
        Departures departures) {

    /** Hears of each waiter that is in the queue no longer. */
    @FunctionalInterface
    interface Departures {
        void left(ResourceQueue queue, Acquisition outcome, Duration waited);
    }
}
