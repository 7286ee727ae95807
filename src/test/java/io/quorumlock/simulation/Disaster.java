package io.quorumlock.simulation;

/** A fault that the model rules out: it hits a majority of the masters at once. */
enum Disaster {
    CLOCKS_STEPPED,
    MASTERS_EMPTIED,
    MASTERS_FLUSHED,
    LOCKS_EVICTED
}
