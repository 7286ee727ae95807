package io.quorumlock.health;

/**
 * Says what the operator calls ready.
 *
 * @param requiresQuorum false where the readiness of a sidecar must not decide its whole pod's
 */
public record ReadinessRule(boolean requiresQuorum) {}
