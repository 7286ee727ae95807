// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.core.lock;

import io.quorumlock.core.loop.MonotonicTime;
import java.time.Duration;
import java.util.Optional;

/** The source of the announcements of all masters. Announcements can be late or lost. */
public interface Announcements {

    /** Returns from how many masters an announcement must come to be believed. */
    int quorum();

    /**
     * Subscribes, on the event loop.
     *
     * @return ends the subscription
     */
    Runnable listen(Listener listener);

    /** A listener, called on the event loop. */
    interface Listener {
        /** Returns since when this listener has wanted the announcements of a lock; empty if it does not need them. */
        Optional<MonotonicTime> wantedSince(ResourceName resource);

        void announced(int master, Announcement announcement);

        /** Called when the subscription on a master starts, also after a reconnect. */
        void subscribed(int master);

        /**
         * Called when the subscription on a master is lost.
         *
         * @param since time of the last data from the master; later announcements are lost
         */
        void subscriptionLost(int master, MonotonicTime since);
    }

    /** The announcement of a lock event by one master. @param slot of a semaphore */
    record Announcement(
            LockEventKind kind,
            ResourceName resource,
            Optional<Owner> owner,
            FencingToken fence,
            Duration left,
            LockKind lockKind,
            Optional<Integer> slot) {}
}
