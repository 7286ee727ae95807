package io.quorumlock.waiting;

import io.quorumlock.lock.ResourceName;
import java.util.function.IntConsumer;

/** Tells that a resource may be free on a node. What it tells are hints: they may be late, wrong or missing (R12). */
public interface ReleaseSignal {

    /**
     * Listens for the releases of a resource.
     *
     * @param hint hears the number of a node, on the engine's loop: when a lock was deleted there, and whenever listening
     *     to it begins (again), because what happened before was missed
     */
    Watch watch(ResourceName resource, IntConsumer hint);

    /** Is one resource that is listened for. */
    @FunctionalInterface
    interface Watch {
        void end();
    }
}
