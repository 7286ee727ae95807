// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.app;

import io.opentelemetry.api.OpenTelemetry;
import io.quarkus.runtime.annotations.CommandLineArguments;
import io.quorumlock.events.LockWatch;
import io.quorumlock.events.MajorityWatch;
import io.quorumlock.events.OpenStreams.StreamLimits;
import io.quorumlock.fleet.Fleet;
import io.quorumlock.fleet.ServerListener;
import io.quorumlock.lock.Limits;
import io.quorumlock.lock.LockDirectory;
import io.quorumlock.lock.LockEngine;
import io.quorumlock.lock.LockListener;
import io.quorumlock.lock.RequestLoad.RequestLimits;
import io.quorumlock.session.Sessions;
import io.quorumlock.session.Sessions.SessionListener;
import io.quorumlock.settings.QuorumlockConfig;
import io.quorumlock.settings.TtlBounds;
import io.quorumlock.time.Drift;
import io.quorumlock.time.EngineContext;
import io.quorumlock.time.LoopStalls;
import io.quorumlock.tracing.Tracing;
import io.quorumlock.waiting.WaitQueues;
import io.quorumlock.waiting.WaitQueues.WaitListener;
import io.quorumlock.waiting.WaitQueues.WaitingLimits;
import io.quorumlock.waiting.WaiterCount;
import io.vertx.core.Vertx;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * The composition root of the lock engine: creates its parts from the configuration and produces the beans of other
 * packages.
 */
@Singleton
final class Engine {
    final EngineContext context;
    final Backend backend;
    final WaitQueues queues;

    @Produces
    @Singleton
    final Sessions sessions;

    @Produces
    @Singleton
    final LockEngine locks;

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
            @ConfigProperty(name = "quarkus.otel.sdk.disabled") boolean tracingDisabled,
            OpenTelemetry telemetry,
            Vertx vertx,
            LockListener lockListener,
            ServerListener nodeListener,
            WaitListener waitListener,
            SessionListener sessionListener) {
        QuorumlockConfig config = settings.config;
        Drift drift = new Drift(config.drift().factor(), config.drift().constant());
        context = EventLoop.engineContext(vertx);
        Optional<Tracing> tracing = tracingDisabled
                ? Optional.empty()
                : Optional.of(new Tracing(
                        telemetry.getTracer("io.quorumlock"), config.tracing().resourceNames()));
        EngineContext traced = tracing.map(t -> t.propagate(context)).orElse(context);
        boolean readOnly = List.of(arguments).contains(Main.CHECK);
        backend = settings.wiring.create(
                new EngineParts(readOnly, drift, vertx, context, traced, tracing, lockListener, nodeListener));

        stalls = new LoopStalls(context);
        stalls.start();

        LockEngine algorithm = backend.engine();
        queues = new WaitQueues(
                tracing.map(t -> t.rounds(algorithm)).orElse(algorithm),
                backend.sources(),
                config.drift().factor(),
                backend.signal(),
                new WaitingLimits(config.waiters().max(), config.waiters().maxPerResource()),
                traced,
                waitListener);
        locks = tracing.map(t -> t.waits(queues)).orElse(queues);
        LockDirectory untraced = backend.directory();
        directory = tracing.map(t -> t.rounds(untraced)).orElse(untraced);
        sessions = new Sessions(locks, config.session().maxCount(), traced, sessionListener);
        limits = new Limits(
                config.ttl().defaultTtl(),
                TtlBounds.shortest(config),
                TtlBounds.longest(config),
                config.waiting().max(),
                ttl -> drift.validity(ttl, Duration.ZERO));
    }

    @Produces
    @Singleton
    Fleet fleet() {
        return backend.fleet();
    }

    @Produces
    @Singleton
    WaiterCount waiterCount() {
        return queues;
    }

    @Produces
    @Singleton
    LockWatch watch() {
        return new MajorityWatch(backend.announcements(), backend.sources(), context);
    }

    @Produces
    @Singleton
    static StreamLimits streamLimits(QuorumlockConfig config) {
        return new StreamLimits(config.events().streamsMax(), config.events().heartbeat());
    }

    @Produces
    @Singleton
    static RequestLimits requestLimits(QuorumlockConfig config) {
        return new RequestLimits(
                config.requests().maxInFlight(), config.requests().reserved());
    }

    @PreDestroy
    void close() {
        backend.connections().close();
    }
}
