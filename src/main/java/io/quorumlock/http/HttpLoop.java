// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import io.smallrye.mutiny.Uni;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.util.concurrent.CompletableFuture;

/** The event loop of an HTTP connection. Outcomes are mapped on it, because there is only one loop for the engine. */
final class HttpLoop {
    private HttpLoop() {}

    /** Returns the outcome on the event loop of the caller. A cancellation cancels the call. */
    static <T> Uni<T> uni(CompletableFuture<T> outcome) {
        Context loop = Vertx.currentContext();
        return Uni.createFrom().completionStage(outcome).emitOn(task -> loop.runOnContext(turn -> task.run()));
    }
}
