package io.quorumlock.simulation;

/** Names what is promised; see the document on guarantees. */
enum Promise {
    /** Mutual exclusion. */
    S1,
    /** Honest validity. */
    S2,
    /** Fencing. */
    S3,
    /** Ownership. */
    S4,
    /** Liveness: calls end in time, resources become free again. */
    L,
    /** Nothing leaks. */
    N,
    /** Nothing takes effect twice. */
    R8,
    /** The caller who left keeps nothing. */
    R11,
    /** Who waits gets the lock when it ends, announced or not. */
    R12,
    /** Extensions are bounded. */
    R13,
    /** Everything is bounded. */
    R14,
    /** "No effect" means none. */
    R15,
    /** A holder that repeats its acquire gets the same lease. */
    REPEATS,
    /** There was not enough to judge. */
    INCONCLUSIVE
}
