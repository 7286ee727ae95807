package io.quorumlock.waiting;

import io.quorumlock.lock.ResourceName;

/** Tells that a resource may be free on a node. What it tells are hints: they may be late, wrong or missing (R12). */
public interface ReleaseSignal {

    /**
     * Listens for the releases of a resource.
     *
     * @param listener hears on the engine's loop when a lock was deleted on a node, and whenever listening to it begins
     *     (again), because what happened before was missed
     */
    Watch watch(ResourceName resource, Listener listener);

    /** Hears hints. */
    @FunctionalInterface
    interface Listener {
        /** @param passedOn whether somebody who waits at the replica that released it is to have it next */
        void hear(int node, boolean passedOn);
    }

    /** Is one resource that is listened for. */
    @FunctionalInterface
    interface Watch {
        void end();
    }
}
