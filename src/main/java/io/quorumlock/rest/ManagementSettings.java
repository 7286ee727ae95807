// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.rest;

/**
 * The settings of the management port.
 *
 * @param enabled whether the port without TLS serves probes and metrics, and nothing else
 */
public record ManagementSettings(boolean enabled) {}
