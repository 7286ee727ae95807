// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.history;

/** The guarantees and rules that checks report; see docs/guarantees.md. */
public enum Promise {
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
    N,
    /** Nothing takes effect twice. */
    R8,
    /** A disconnected caller keeps nothing. */
    R11,
    /** A waiter acquires the lock when it is free, with or without an announcement. */
    R12,
    /** Extensions are bounded. */
    R13,
    /** Everything is bounded. */
    R14,
    /** "No effect" is correct. */
    R15,
    /** A holder that repeats its acquire gets the same lease. */
    REPEATS,
    /** There was not enough evidence. */
    INCONCLUSIVE
}
