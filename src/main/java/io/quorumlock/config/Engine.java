// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.config;

import io.opentelemetry.api.OpenTelemetry;
import io.quarkus.runtime.LaunchMode;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.quorumlock.embedded.EmbeddedMasters;
import io.quorumlock.events.LockWatch;
import io.quorumlock.events.MajorityWatch;
import io.quorumlock.events.OpenStreams.StreamLimits;
import io.quorumlock.lock.Fleet;
import io.quorumlock.lock.Limits;
import io.quorumlock.lock.LockDirectory;
import io.quorumlock.lock.LockEngine;
import io.quorumlock.lock.LockListener;
import io.quorumlock.lock.MasterListener;
import io.quorumlock.lock.RequestLoad.RequestLimits;
import io.quorumlock.redis.KeyPrefixes;
import io.quorumlock.redis.LinkSettings;
import io.quorumlock.redis.MasterAddress;
import io.quorumlock.redis.RedisAnnouncements;
import io.quorumlock.redis.RedisFleet;
import io.quorumlock.redis.RedisReleaseSignal;
import io.quorumlock.redis.RestartGuard;
import io.quorumlock.redis.Subscriptions;
import io.quorumlock.redlock.LockMaster;
import io.quorumlock.redlock.QuorumDirectory;
import io.quorumlock.redlock.Redlock;
import io.quorumlock.redlock.RedlockSettings;
import io.quorumlock.session.Sessions;
import io.quorumlock.session.Sessions.SessionListener;
import io.quorumlock.time.Drift;
import io.quorumlock.time.EngineContext;
import io.quorumlock.tracing.Tracing;
import io.quorumlock.waiting.WaitQueues;
import io.quorumlock.waiting.WaitQueues.WaitListener;
import io.quorumlock.waiting.WaitQueues.WaitingLimits;
import io.quorumlock.waiting.WaiterCount;
import io.vertx.core.Vertx;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigProvider;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * The composition root of the lock engine: creates its parts from the configuration and produces the beans of other
 * packages.
 */
@Singleton
final class Engine {
    private static final int EMBEDDED_MASTERS = 5;
    private static final int CLOSE_SECONDS = 2;
    private static final Duration QUARANTINE_MARGIN = Duration.ofSeconds(1);

    final EngineContext context;
    final RedisFleet redis;
    final WaitQueues queues;

    private final Optional<EmbeddedMasters> embedded;
    private final Subscriptions subscriptions;
    private final RedisAnnouncements announcements;

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

    Engine(
            QuorumlockConfig config,
            ClientCertificates certificates,
            @ConfigProperty(name = "quarkus.otel.sdk.disabled") boolean tracingDisabled,
            OpenTelemetry telemetry,
            Vertx vertx,
            LockListener lockListener,
            MasterListener nodeListener,
            WaitListener waitListener,
            SessionListener sessionListener) {
        Config all = ConfigProvider.getConfig();
        StartErrors.runAll(
                () -> ConfigCheck.checkAll(config, all, System.getenv().keySet()), certificates::check, () -> {
                    if (LaunchMode.current() == LaunchMode.NORMAL) {
                        PortCheck.check(all);
                    }
                });
        embedded = startEmbedded(config);
        List<MasterAddress> nodes = ConfigCheck.addresses(
                embedded.map(Engine::urls).or(config::nodes).orElseThrow());
        Drift drift = new Drift(config.drift().factor(), config.drift().constant());
        LinkSettings links = new LinkSettings(
                config.node().timeout(),
                config.node().connectTimeout(),
                config.node().caFile());
        KeyPrefixes prefixes = new KeyPrefixes(config.lockPrefix().orElse(""), config.fencePrefix());
        int maxExtensions = config.extensions().max();

        context = EventLoop.engineContext(vertx);
        redis = new RedisFleet(
                nodes,
                new RedisFleet.Settings(links, prefixes, maxExtensions, restartGuard(config, drift)),
                vertx,
                context,
                nodeListener);
        subscriptions = new Subscriptions(nodes, links, vertx, context);
        announcements = new RedisAnnouncements(prefixes, subscriptions);

        Optional<Tracing> tracing = tracingDisabled
                ? Optional.empty()
                : Optional.of(new Tracing(
                        telemetry.getTracer("io.quorumlock"), config.tracing().resourceNames()));
        EngineContext traced = tracing.map(t -> t.propagate(context)).orElse(context);
        List<LockMaster> voters = tracing.map(t -> t.votes(redis.lockMasters())).orElseGet(redis::lockMasters);
        RedlockSettings settings = new RedlockSettings(
                drift, maxExtensions, config.ttl().max(), config.node().timeout());
        LockEngine algorithm = new Redlock(voters, settings, traced, lockListener);
        queues = new WaitQueues(
                tracing.map(t -> t.rounds(algorithm)).orElse(algorithm),
                redis.quorum(),
                config.drift().factor(),
                new RedisReleaseSignal(prefixes, subscriptions),
                new WaitingLimits(config.waiters().max(), config.waiters().maxPerResource()),
                traced,
                waitListener);
        locks = tracing.map(t -> t.waits(queues)).orElse(queues);
        LockDirectory quorumDirectory = new QuorumDirectory(voters, settings, traced, lockListener);
        directory = tracing.map(t -> t.rounds(quorumDirectory)).orElse(quorumDirectory);
        sessions = new Sessions(locks, config.session().maxCount(), traced, sessionListener);
        limits = new Limits(
                config.ttl().defaultTtl(),
                config.ttl().min(),
                config.ttl().max(),
                maxExtensions,
                config.waiting().max(),
                ttl -> drift.validity(ttl, Duration.ZERO));
    }

    private static Optional<EmbeddedMasters> startEmbedded(QuorumlockConfig config) {
        if (!ConfigCheck.isTrial(config)) {
            return Optional.empty();
        }
        try {
            return Optional.of(EmbeddedMasters.start(EMBEDDED_MASTERS));
        } catch (IllegalStateException e) {
            throw new ConfigurationException("QUORUMLOCK_EMBEDDED=true: " + e.getMessage(), e);
        }
    }

    private static List<String> urls(EmbeddedMasters masters) {
        return masters.urls().stream().map(URI::toString).toList();
    }

    /** The quarantine must be longer than every earlier lease, on any clock. Embedded masters never restart. */
    private RestartGuard restartGuard(QuorumlockConfig config, Drift drift) {
        Duration longest = config.ttl().max();
        return new RestartGuard(
                config.restartGuard().enabled() && embedded.isEmpty(),
                config.mastersPersist(),
                longest.plus(drift.of(longest)).plus(QUARANTINE_MARGIN));
    }

    @Produces
    @Singleton
    Fleet fleet() {
        return redis;
    }

    @Produces
    @Singleton
    WaiterCount waiterCount() {
        return queues;
    }

    @Produces
    @Singleton
    LockWatch watch() {
        return new MajorityWatch(announcements, redis.quorum(), context);
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

    /**
     * Closes the connections before the embedded masters, so that the stop of the masters is not logged as a failure.
     */
    @PreDestroy
    void close() {
        CompletableFuture.allOf(redis.close(), subscriptions.close())
                .orTimeout(CLOSE_SECONDS, TimeUnit.SECONDS)
                .exceptionally(timeout -> null)
                .join();
        embedded.ifPresent(EmbeddedMasters::close);
    }
}
