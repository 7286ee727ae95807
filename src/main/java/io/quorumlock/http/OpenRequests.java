// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

/** Requests that stay open, such as streams. They end when the replica begins to stop. */
public interface OpenRequests {
    /** Ends them all, and rejects new ones. */
    void end();
}
