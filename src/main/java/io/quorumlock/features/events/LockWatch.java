// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.events;

import io.quorumlock.core.lock.FencingToken;
import io.quorumlock.core.lock.LockEventKind;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.lock.Owner;
import io.quorumlock.core.lock.ResourceName;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Predicate;

/** A watch of lock events of all replicas. Events can be late or missing, so use them for display only. */
@FunctionalInterface
public interface LockWatch {

    /**
     * @param resources whose events the listener gets; called on the event loop, as the listener
     * @param listener called with one event after the other; must not block
     * @return ends the watch
     */
    Runnable watch(Predicate<ResourceName> resources, Listener listener);

    /** A listener to lock events. */
    interface Listener {
        void changed(LockEvent change);

        /** Called when events may be missing. */
        void missed(Gap gap);
    }

    /**
     * A period in which subscriptions covered fewer masters than a majority.
     *
     * @param since start of the gap, by this replica's wall clock
     * @param until end of the gap, by the same clock
     */
    record Gap(Instant since, Instant until) {}

    /**
     * A lock event as this replica knows it. It is advisory and does not contain the token.
     *
     * @param left remaining time of the lease after the event; zero if it ended
     * @param slot of a semaphore
     * @param at time by this replica's wall clock
     */
    record LockEvent(
            LockEventKind kind,
            ResourceName resource,
            Optional<Owner> owner,
            FencingToken fence,
            Duration left,
            LockKind lockKind,
            Optional<Integer> slot,
            Instant at) {}
}
