// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.quorumlock.core.loop.EngineContext;
import io.quorumlock.core.loop.Scheduler;
import io.quorumlock.testing.RealLoop;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Timers of the engine that other event loops set, and the end of a loop. */
class EventLoopTest {
    private static final Duration SOON = Duration.ofMillis(1);

    private final RealLoop other = new RealLoop();
    private EngineContext engine;

    @BeforeEach
    void createContext() {
        engine = EventLoop.engineContext(other.vertx);
    }

    @AfterEach
    void close() {
        other.close();
    }

    @Test
    void timersRunOnTheContextOfTheEngine() {
        CompletableFuture<Context> loop = new CompletableFuture<>();
        engine.loop().execute(() -> loop.complete(Vertx.currentContext()));
        CompletableFuture<Context> timer = new CompletableFuture<>();
        onAnotherLoop(() -> engine.scheduler().after(SOON, () -> timer.complete(Vertx.currentContext())));
        assertEquals(RealLoop.await(loop), RealLoop.await(timer));
    }

    /** The timer of another loop has fired, but its task was not begun. */
    @Test
    void cancelledTimerDoesNotRun() {
        AtomicBoolean ran = new AtomicBoolean();
        CompletableFuture<Void> end = new CompletableFuture<>();
        engine.loop().execute(() -> {
            CompletableFuture<Scheduler.Timer> timer = new CompletableFuture<>();
            CompletableFuture<Void> fired = new CompletableFuture<>();
            onAnotherLoop(() -> {
                timer.complete(engine.scheduler().after(SOON, () -> ran.set(true)));
                other.vertx.setTimer(SOON.toMillis() + 1, later -> fired.complete(null));
            });
            RealLoop.await(fired);
            RealLoop.await(timer).cancel();
            engine.loop().execute(() -> end.complete(null));
        });
        RealLoop.await(end);
        assertFalse(ran.get());
    }

    /** Without an end, this test hangs. */
    @Test
    void waitForALoopThatHangsHasAnEnd() {
        EventLoop.awaitClosed("sessions", new CompletableFuture<>());
    }

    /** The context of the test's thread may be that of the engine. */
    private void onAnotherLoop(Runnable task) {
        Thread thread = new Thread(
                () -> other.vertx.getOrCreateContext().runOnContext(turn -> task.run()), "caller-of-another-loop");
        thread.start();
    }
}
