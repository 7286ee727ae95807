package io.quorumlock.lock;

/** Counts who waits on this replica. */
public interface Waiters {
    int all();

    int on(ResourceName resource);
}
