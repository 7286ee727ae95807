package io.quorumlock.lock;

import java.time.Duration;
import java.util.function.UnaryOperator;

/**
 * Bounds what a client may ask for (R13, R14).
 *
 * @param ttlDefault used where the client names none
 * @param waitMax the longest wait for a lock that another holds
 * @param mostValidity tells the most that a lease of a TTL can ever have: what drift leaves of it
 */
public record Limits(
        Duration ttlDefault,
        Duration ttlMin,
        Duration ttlMax,
        int extensionsMax,
        Duration waitMax,
        UnaryOperator<Duration> mostValidity) {}
