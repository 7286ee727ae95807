// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.app;

import io.quorumlock.core.loop.EngineContext;
import io.quorumlock.core.loop.MonotonicClock;
import io.quorumlock.core.loop.MonotonicTime;
import io.quorumlock.core.loop.Scheduler;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jboss.logging.Logger;

/** The event loop of the engine, which owns the connections to the masters and all state of the algorithm. */
final class EventLoop {
    private static final Logger LOG = Logger.getLogger(EventLoop.class);
    private static final int CLOSE_SECONDS = 2;

    private EventLoop() {}

    /** Creates an event loop context. Must not be called on an event loop. */
    static EngineContext engineContext(Vertx vertx) {
        Context context = vertx.getOrCreateContext();
        Executor loop = task -> context.runOnContext(turn -> task.run());
        Scheduler scheduler = (delay, task) -> later(vertx, loop, delay, task);
        return new EngineContext(clock(), Clock.systemUTC(), scheduler, loop, new SecureRandom());
    }

    static MonotonicClock clock() {
        return () -> new MonotonicTime(System.nanoTime());
    }

    /** Waits up to 2 s until the loop closed a part. The scheduler cannot limit the wait for a loop that hangs. */
    static void awaitClosed(String part, CompletableFuture<Void> closed) {
        try {
            closed.get(CLOSE_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException late) {
            LOG.warnf("not closed part=%s after_s=%d", part, CLOSE_SECONDS);
        } catch (ExecutionException bug) {
            LOG.errorf(bug, "not closed part=%s", part);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Vert.x runs a timer on the context of its caller, which may be another one. */
    private static Scheduler.Timer later(Vertx vertx, Executor loop, Duration delay, Runnable task) {
        long millis = Math.max(1, delay.plusNanos(999_999).toMillis());
        AtomicBoolean cancelled = new AtomicBoolean();
        long id = vertx.setTimer(
                millis,
                fired -> loop.execute(() -> {
                    if (!cancelled.get()) {
                        task.run();
                    }
                }));
        return () -> {
            cancelled.set(true);
            vertx.cancelTimer(id);
        };
    }
}
