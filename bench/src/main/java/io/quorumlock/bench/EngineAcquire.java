// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.bench;

import io.quorumlock.core.fleet.ServerFailure;
import io.quorumlock.core.fleet.ServerListener;
import io.quorumlock.core.lock.AcquireTerms;
import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.Extension;
import io.quorumlock.core.lock.ForcedRelease;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.lock.LockListener;
import io.quorumlock.core.lock.Release;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.loop.Drift;
import io.quorumlock.core.loop.EngineContext;
import io.quorumlock.core.loop.EngineSettings;
import io.quorumlock.core.loop.MonotonicTime;
import io.quorumlock.engines.masters.RedisFleet;
import io.quorumlock.engines.masters.RestartGuard;
import io.quorumlock.engines.redis.KeyPrefixes;
import io.quorumlock.engines.redis.LinkSettings;
import io.quorumlock.engines.redis.MasterAddress;
import io.quorumlock.engines.redlock.Redlock;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A workload of acquires through the engine in this process, wired as in the service, without HTTP and metrics. */
final class EngineAcquire implements Workload {
    static final Duration TTL = Duration.ofSeconds(1);

    private static final AcquireTerms TERMS =
            new AcquireTerms(TTL, Duration.ZERO, Optional.empty(), Optional.empty(), LockKind.EXCLUSIVE);
    private static final EngineSettings RULES = new EngineSettings(
            new Drift(0.01, Duration.ofMillis(2)), OptionalInt.empty(), Duration.ofSeconds(60), Duration.ofSeconds(1));

    private final int clients;
    private final Vertx vertx = Vertx.vertx();
    private final RedisFleet fleet;
    private final Redlock engine;

    EngineAcquire(Environment environment, int clients) throws Exception {
        this.clients = clients;
        EngineContext engineContext = engineContext(vertx);
        LinkSettings link = new LinkSettings(ServiceConfig.NODE_TIMEOUT, Duration.ofSeconds(2), Optional.empty());
        List<MasterAddress> addresses = environment.masters().urls().stream()
                .map(url -> new MasterAddress(url.toString()))
                .toList();
        RedisFleet.Settings settings = new RedisFleet.Settings(
                link,
                new KeyPrefixes("lock:", "fence:"),
                RedisFleet.NO_LIMIT,
                new RestartGuard(false, false, Duration.ZERO, false));
        fleet = new RedisFleet(addresses, settings, vertx, engineContext, new NoOpListener());
        engine = new Redlock(fleet.lockMasters(), RULES, engineContext, new NoOpListener());
        fleet.open(Duration.ofSeconds(5)).get(10, TimeUnit.SECONDS);
        if (fleet.up() < addresses.size()) {
            int up = fleet.up();
            close();
            throw new IllegalStateException("only " + up + " masters are up");
        }
    }

    /** Creates the same context as {@code config.EventLoop} of the service. */
    private static EngineContext engineContext(Vertx vertx) {
        Context context = vertx.getOrCreateContext();
        return new EngineContext(
                () -> new MonotonicTime(System.nanoTime()),
                Clock.systemUTC(),
                (delay, task) -> {
                    long id = vertx.setTimer(Math.max(1, delay.toMillis()), fired -> task.run());
                    return () -> vertx.cancelTimer(id);
                },
                task -> context.runOnContext(turn -> task.run()),
                new SecureRandom());
    }

    @Override
    public Sample run(Duration duration) throws Exception {
        return AsyncLoop.run(clients, duration, client -> this::acquire);
    }

    private CompletableFuture<Boolean> acquire() {
        return engine.acquire(new ResourceName(Workload.newResource()), TERMS)
                .thenApply(Acquisition.Acquired.class::isInstance);
    }

    @Override
    public void close() {
        fleet.close().join();
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    private static final class NoOpListener implements ServerListener, LockListener {
        @Override
        public void answered(String node, String command, Duration elapsed) {}

        @Override
        public void failed(String node, ServerFailure reason) {}

        @Override
        public void restarted(String node) {}

        @Override
        public void acquire(Acquisition outcome, Duration elapsed) {}

        @Override
        public void extend(Extension outcome, Duration elapsed) {}

        @Override
        public void release(Release outcome, Duration elapsed) {}

        @Override
        public void forceRelease(ForcedRelease outcome) {}

        @Override
        public void splitVote() {}
    }
}
