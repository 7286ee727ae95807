// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.waiting;

import io.quorumlock.lock.ResourceName;

/**
 * The source of announcements that a resource may be free on a node. They are hints: late, wrong or missing at times
 * (R12).
 */
public interface ReleaseSignal {

    /**
     * Subscribes to the releases of a resource.
     *
     * @param listener called on the event loop when a lock was deleted on a node, and at each start of a subscription,
     *     because earlier announcements may be lost
     */
    Watch watch(ResourceName resource, Listener listener);

    /** A listener for announcements. */
    @FunctionalInterface
    interface Listener {
        /** @param passedOn whether the releasing replica hands the lock over to its next waiter */
        void released(int node, boolean passedOn);
    }

    /** The subscription to one resource. */
    @FunctionalInterface
    interface Watch {
        void end();
    }
}
