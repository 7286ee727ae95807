package io.quorumlock.lock;

/** Is what this replica works on at the moment. Who waits for a lock is not among it, and bounded elsewhere. */
public interface RequestLoad {
    int inFlight();

    /** Counts those that were turned away because too many were in flight. */
    long shed(RequestClass lane);

    /** Lets no more begin; those in flight end as they would. */
    void end();
}
