// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.waiting;

import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.LockEngine;
import io.quorumlock.lock.ReleaseSignal;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.time.EngineContext;
import java.time.Duration;
import java.util.function.IntSupplier;

/**
 * Dependencies shared by all queues.
 *
 * @param drift the relative difference of two clocks
 * @param queues number of queues
 */
record QueueContext(
        LockEngine engine,
        int quorum,
        double drift,
        ReleaseSignal signal,
        EngineContext engineContext,
        Departures departures,
        Places places,
        IntSupplier queues) {
    /** The receiver of waiters that are no longer in a queue. */
    interface Departures {
        /** Called after a wait ended. */
        void left(ResourceName resource, Acquisition outcome, Duration waited);

        /** Called for a waiter that must wait for another one of its locks. */
        void moved(ResourceName resource, Waiter waiter, Acquisition.Held held);
    }
}
