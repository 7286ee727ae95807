package io.quorumlock.faults;

/** The guarantees; see docs/guarantees.md. */
enum Promise {
    /** Mutual exclusion. */
    S1,
    /** Correct validity. */
    S2,
    /** Fencing. */
    S3,
    /** Ownership. */
    S4,
    /** Liveness: calls end in time, and resources become free again. */
    L,
    /** No leftovers. */
    N
}
