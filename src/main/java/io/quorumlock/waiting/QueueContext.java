package io.quorumlock.waiting;

import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.LockEngine;
import io.quorumlock.time.EngineContext;
import java.time.Duration;

/** Dependencies shared by all queues. */
record QueueContext(
        LockEngine engine,
        int quorum,
        double drift,
        ReleaseSignal signal,
        EngineContext engineContext,
        Departures departures) {

    /** Hears of each waiter that is in the queue no longer. */
    @FunctionalInterface
    interface Departures {
        void left(WaitQueue queue, Acquisition outcome, Duration waited);
    }
}
