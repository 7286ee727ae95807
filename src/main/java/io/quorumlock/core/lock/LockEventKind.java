// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.core.lock;

/** The kind of a lock event. */
public enum LockEventKind {
    ACQUIRED,
    EXTENDED,
    RELEASED,
    /** Derived from the time, not announced: the lock has expired, and no other event ended it. */
    EXPIRED,
    BROKEN
}
