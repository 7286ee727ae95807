package io.quorumlock.lock;

import java.time.Duration;

/**
 * Bounds what a client may ask for (R13, R14).
 *
 * @param ttlDefault used where the client names none
 * @param waitMax the longest wait for a lock that another holds
 */
public record Limits(Duration ttlDefault, Duration ttlMin, Duration ttlMax, int extensionsMax, Duration waitMax) {}
