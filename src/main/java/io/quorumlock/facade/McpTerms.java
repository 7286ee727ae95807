// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.facade;

import java.time.Duration;

/**
 * The terms of locks of agents.
 *
 * @param ttl of a lease whose agent names none
 */
public record McpTerms(Duration ttl) {}
