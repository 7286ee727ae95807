package io.quorumlock.faults;

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
    N
}
