package io.quorumlock.simulation;

/** Is what the model rules out: it happens to a majority of the masters at once. */
enum Disaster {
    CLOCKS_STEPPED,
    MASTERS_EMPTIED,
    MASTERS_FLUSHED,
    LOCKS_EVICTED
}
