package io.quorumlock.waiting;

/**
 * Bounds who may wait (R14).
 *
 * @param waiters on this replica
 * @param perResource of them for one resource
 */
public record WaitingLimits(int waiters, int perResource) {}
