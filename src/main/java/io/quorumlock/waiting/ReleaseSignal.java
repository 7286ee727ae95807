package io.quorumlock.waiting;

import io.quorumlock.lock.ResourceName;

/** Announcements that a resource may be free on a node. They are hints: they can be late, wrong or missing (R12). */
public interface ReleaseSignal {

    /**
     * Subscribes to the releases of a resource.
     *
     * @param listener called on the event loop when a lock was deleted on a node, and whenever a subscription begins
     *     (again), because earlier announcements may be lost
     */
    Watch watch(ResourceName resource, Listener listener);

    /** A listener for announcements. */
    @FunctionalInterface
    interface Listener {
        /** @param passedOn whether the next waiter of the replica that released the lock shall get it */
        void released(int node, boolean passedOn);
    }

    /** The subscription to one resource. */
    @FunctionalInterface
    interface Watch {
        void end();
    }
}
