package io.quorumlock.waiting;

/**
 * The limits of waiting acquires (R14).
 *
 * @param waiters maximum number on this replica
 * @param perResource maximum number for one resource
 */
public record WaitingLimits(int waiters, int perResource) {}
