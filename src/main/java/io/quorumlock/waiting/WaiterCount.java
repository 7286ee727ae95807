package io.quorumlock.waiting;

import io.quorumlock.lock.ResourceName;

/** Counts who waits on this replica. */
public interface WaiterCount {
    int all();

    int on(ResourceName resource);
}
