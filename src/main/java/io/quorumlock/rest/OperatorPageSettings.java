// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.rest;

/**
 * The settings of the operator's page.
 *
 * @param enabled whether the page is served
 */
public record OperatorPageSettings(boolean enabled) {}
