// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import java.util.concurrent.CompletableFuture;

/** Requests that stay open, such as streams. They end when the replica begins to stop. */
public interface OpenRequests {
    /** Ends them all, and rejects new ones. The result completes when each has its end. */
    CompletableFuture<Void> end();
}
