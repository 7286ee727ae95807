// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.core.lock;

/**
 * The source of announcements that a resource may be free on a master. They are hints: late, wrong or missing at times
 * (R12).
 */
public interface ReleaseSignal {

    /**
     * Subscribes to the releases of a resource. The listener is called on the event loop.
     *
     * @return ends the subscription
     */
    Runnable watch(ResourceName resource, Listener listener);

    /** A listener for announcements. */
    interface Listener {
        /**
         * Called when a lease was deleted on a master.
         *
         * @param fence the fencing token of the lease
         * @param replicas number of replicas with waiters for the resource
         */
        void released(int master, long fence, int replicas);

        /** Called when a lease ended on a master and its fencing token is not known. */
        void released(int master);

        /**
         * Called when releases on a master are announced from now on.
         *
         * @param missed whether one may be missing since the last attempt
         */
        void subscribed(int master, boolean missed);

        /** Called when releases on a master are not announced any more. Earlier announcements may be lost. */
        void lost(int master);
    }
}
