/** Knows who waits for a lock, and when to try again. */
package io.quorumlock.waiting;
