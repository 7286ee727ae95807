package io.quorumlock.testing;

import io.quorumlock.time.Moment;
import io.quorumlock.time.Surroundings;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Is a real event loop with real time, for what talks to real sockets. */
public final class RealLoop implements AutoCloseable {
    private static final int MOST_SECONDS = 20;

    public final Vertx vertx = Vertx.vertx();
    public final Surroundings surroundings;

    public RealLoop() {
        Context context = vertx.getOrCreateContext();
        surroundings = new Surroundings(
                () -> new Moment(System.nanoTime()),
                Clock.systemUTC(),
                (delay, task) -> {
                    long id = vertx.setTimer(Math.max(1, delay.toMillis()), fired -> task.run());
                    return () -> vertx.cancelTimer(id);
                },
                task -> context.runOnContext(turn -> task.run()),
                new SecureRandom());
    }

    /** Waits for an answer, not for ever. */
    public static <T> T await(CompletableFuture<T> answer) {
        try {
            return answer.get(MOST_SECONDS, TimeUnit.SECONDS);
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
