// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.mcp;

/** How a call of a tool ended. */
enum ToolOutcome {
    DONE,
    /** Another client holds a lock. */
    HELD,
    /** No client, or another one, holds the lease. */
    LOST,
    /** The arguments are not valid, or the call is not allowed or over a limit. */
    REFUSED,
    /** The service could not decide. */
    FAILED
}
