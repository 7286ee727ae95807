// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.events;

import io.quorumlock.events.LockWatch.LockEvent;
import io.quorumlock.lock.FencingToken;
import io.quorumlock.lock.Owner;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.time.MonotonicTime;
import java.time.Duration;
import java.util.Optional;

/** The source of the announcements of all nodes. Announcements can be late or lost. */
public interface Announcements {

    /** Subscribes, on the event loop, until the subscription ends. */
    Listening listen(Listener listener);

    /** A listener, called on the event loop. */
    interface Listener {
        void announced(int node, Announcement announcement);

        /** Called when the subscription on a node starts, also after a reconnect. */
        void subscribed(int node);

        /**
         * Called when the subscription on a node is lost.
         *
         * @param since time of the last data from the node; later announcements are lost
         */
        void subscriptionLost(int node, MonotonicTime since);
    }

    /** A subscription. */
    @FunctionalInterface
    interface Listening {
        void end();
    }

    /** The announcement of a lock event by one node. */
    record Announcement(
            LockEvent.Kind kind, ResourceName resource, Optional<Owner> owner, FencingToken fence, Duration left) {}
}
