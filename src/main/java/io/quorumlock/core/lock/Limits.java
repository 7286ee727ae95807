// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.core.lock;

import java.time.Duration;

/**
 * The limits on client requests (R13, R14).
 *
 * @param ttlDefault used if the client sends no TTL
 * @param waitMax the longest wait for a lock that another client holds
 */
public record Limits(Duration ttlDefault, Duration ttlMin, Duration ttlMax, Duration waitMax) {}
