// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import io.quorumlock.core.loop.EngineContext;
import io.quorumlock.core.loop.MonotonicTime;
import io.vertx.core.Context;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.random.RandomGenerator;

/** A real event loop with real time, for code that uses real sockets. */
public final class RealLoop implements AutoCloseable {

    public final Vertx vertx = Vertx.vertx();
    public final EngineContext engineContext;

    public RealLoop() {
        Context context = vertx.getOrCreateContext();
        engineContext = new EngineContext(
                () -> new MonotonicTime(System.nanoTime()),
                Clock.systemUTC(),
                (delay, task) -> {
                    long id = vertx.setTimer(Math.max(1, delay.toMillis()), fired -> task.run());
                    return () -> vertx.cancelTimer(id);
                },
                task -> context.runOnContext(turn -> task.run()),
                new SecureRandom());
    }

    /** Returns the context of this loop with other random choices. */
    public EngineContext choosing(RandomGenerator random) {
        return new EngineContext(
                engineContext.clock(),
                engineContext.wallClock(),
                engineContext.scheduler(),
                engineContext.loop(),
                random);
    }

    /** Starts an HTTP server on a free port. It runs until this loop is closed. */
    public URI serve(Handler<RoutingContext> handler) {
        Router router = Router.router(vertx);
        router.route().handler(handler);
        HttpServer server = await(vertx.createHttpServer()
                .requestHandler(router)
                .listen(0, "127.0.0.1")
                .toCompletionStage()
                .toCompletableFuture());
        return URI.create("http://127.0.0.1:" + server.actualPort());
    }

    /** Waits for a result, with a timeout. */
    public static <T> T await(CompletableFuture<T> answer) {
        try {
            return answer.get(Eventually.LONGEST.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        } catch (ExecutionException | TimeoutException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        await(vertx.close().toCompletionStage().toCompletableFuture());
    }
}
