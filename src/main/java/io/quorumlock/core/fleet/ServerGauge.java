// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.core.fleet;

import java.util.function.Supplier;

/**
 * A measurement of a server that runs in this process.
 *
 * @param value may be called from any thread
 */
public record ServerGauge(String name, String description, Supplier<Number> value) {}
