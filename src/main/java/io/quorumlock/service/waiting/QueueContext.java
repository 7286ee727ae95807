// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.service.waiting;

import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.LockEngine;
import io.quorumlock.core.lock.ReleaseSignal;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.loop.EngineContext;
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
