// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.facade;

/** A listener for calls of tools, for metrics. */
@FunctionalInterface
public interface McpListener {

    void called(McpTool tool, ToolOutcome outcome);

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
}
