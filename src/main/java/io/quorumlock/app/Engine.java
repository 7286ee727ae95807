// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.app;

import io.quarkus.runtime.annotations.CommandLineArguments;
import io.quorumlock.core.fleet.Fleet;
import io.quorumlock.core.fleet.ServerGauge;
import io.quorumlock.core.fleet.ServerListener;
import io.quorumlock.core.lock.Announcements;
import io.quorumlock.core.lock.Limits;
import io.quorumlock.core.lock.LockDirectory;
import io.quorumlock.core.lock.LockListener;
import io.quorumlock.core.loop.Drift;
import io.quorumlock.core.loop.EngineContext;
import io.quorumlock.core.loop.LoopStalls;
import io.quorumlock.service.waiting.WaitQueues;
import io.quorumlock.service.waiting.WaitQueues.WaitListener;
import io.quorumlock.service.waiting.WaitQueues.WaitingLimits;
import io.quorumlock.settings.QuorumlockConfig;
import io.quorumlock.settings.TtlBounds;
import io.vertx.core.Vertx;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.List;

/**
 * The composition root of the lock engine: creates its parts from the configuration and produces the beans of other
 * packages.
 */
@Singleton
final class Engine {
    @Produces
    @Singleton
    final EngineContext context;

    final Backend backend;

    @Produces
    @Singleton
    final WaitQueues queues;

    @Produces
    @Singleton
    final LockDirectory directory;

    @Produces
    @Singleton
    final Limits limits;

    @Produces
    @Singleton
    final LoopStalls stalls;

    Engine(
            CheckedSettings settings,
            @CommandLineArguments String[] arguments,
            Vertx vertx,
            LockListener lockListener,
            ServerListener nodeListener,
            WaitListener waitListener) {
        QuorumlockConfig config = settings.config;
        Drift drift = new Drift(config.drift().factor(), config.drift().constant());
        context = EventLoop.engineContext(vertx);
        boolean readOnly = List.of(arguments).contains(Main.CHECK);
        backend = settings.wiring.create(new EngineParts(readOnly, drift, vertx, context, lockListener, nodeListener));

        stalls = new LoopStalls(context);
        stalls.start();

        queues = new WaitQueues(
                backend.engine(),
                // Releases are announced by the same servers.
                backend.announcements().quorum(),
                config.drift().factor(),
                backend.signal(),
                new WaitingLimits(config.waiters().max(), config.waiters().maxPerResource()),
                context,
                waitListener);
        directory = backend.directory();
        limits = new Limits(
                config.ttl().defaultTtl(),
                TtlBounds.shortest(config),
                TtlBounds.longest(config),
                config.waiting().max());
    }

    @Produces
    @Singleton
    Fleet fleet() {
        return backend.fleet();
    }

    @Produces
    @Singleton
    List<ServerGauge> gauges() {
        return backend.gauges();
    }

    @Produces
    @Singleton
    Announcements announcements() {
        return backend.announcements();
    }

    @PreDestroy
    void close() {
        backend.connections().close();
    }
}
