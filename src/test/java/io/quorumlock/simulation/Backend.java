// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import io.quorumlock.core.lock.LockDirectory;
import io.quorumlock.core.lock.LockEngine;
import io.quorumlock.core.lock.ReleaseSignal;
import io.quorumlock.core.lock.ResourceName;

/** The engine of a replica, with its connections. */
interface Backend {
    LockEngine engine();

    LockDirectory directory();

    ReleaseSignal signal();

    /** Returns the number of servers that a release has to reach. */
    int quorum();

    void open();

    /** Returns whether nobody has the lock, and this replica can acquire it. */
    boolean findsFree(ResourceName resource);

    int cleanUpsPending();

    /** Ends with the process. What was sent may still arrive. */
    void crash();

    /** Closes all connections permanently. */
    void close();
}
