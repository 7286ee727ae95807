// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.service.waiting;

/**
 * What a wait queue does. An attempt that is not the queue's changes it only while it is idle, or if it is granted.
 */
enum QueueState {
    /** Nothing is scheduled: an attempt that a waiter makes itself comes first. */
    IDLE,
    /** An announced release or the timer starts the next attempt: usually another client holds the lock. */
    SLEEPING,
    /** Only the timer starts the next attempt: others may contend, and its random delay decides. */
    RESTING,
    /** The contender makes an attempt. */
    ATTEMPTING
}
