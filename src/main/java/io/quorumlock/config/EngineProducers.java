package io.quorumlock.config;

import io.quarkus.runtime.configuration.ConfigurationException;
import io.quorumlock.embedded.EmbeddedMasters;
import io.quorumlock.events.MajorityWatch;
import io.quorumlock.events.StreamLimits;
import io.quorumlock.health.ReadinessRule;
import io.quorumlock.lock.Limits;
import io.quorumlock.lock.LockDirectory;
import io.quorumlock.lock.LockEngine;
import io.quorumlock.lock.LockListener;
import io.quorumlock.lock.NodeListener;
import io.quorumlock.lock.RequestLimits;
import io.quorumlock.redis.KeyPrefixes;
import io.quorumlock.redis.LinkSettings;
import io.quorumlock.redis.NodeAddress;
import io.quorumlock.redis.RedisAnnouncements;
import io.quorumlock.redis.RedisFleet;
import io.quorumlock.redis.RedisHeartbeats;
import io.quorumlock.redis.RedisReleaseSignal;
import io.quorumlock.redis.RestartGuard;
import io.quorumlock.redlock.Drift;
import io.quorumlock.redlock.LockNode;
import io.quorumlock.redlock.QuorumDirectory;
import io.quorumlock.redlock.Redlock;
import io.quorumlock.redlock.RedlockSettings;
import io.quorumlock.session.SessionListener;
import io.quorumlock.session.SessionManager;
import io.quorumlock.session.Sessions;
import io.quorumlock.time.EngineContext;
import io.quorumlock.waiting.WaitListener;
import io.quorumlock.waiting.WaitQueues;
import io.quorumlock.waiting.WaiterCount;
import io.quorumlock.waiting.WaitingLimits;
import io.vertx.core.Vertx;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.enterprise.inject.Typed;
import jakarta.inject.Singleton;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Builds the house from its configuration. */
@Singleton
final class EngineProducers {
    private static final int EMBEDDED_MASTERS = 5;
    private static final int CLOSE_SECONDS = 2;
    private static final Duration QUARANTINE_MARGIN = Duration.ofSeconds(1);

    private final QuorumlockConfig config;

    EngineProducers(QuorumlockConfig config) {
        this.config = config;
    }

    /** Holds the masters that this process started itself, if any. */
    record OwnMasters(Optional<EmbeddedMasters> masters) {}

    @Produces
    @Singleton
    OwnMasters ownMasters() {
        ConfigCheck.check(config);
        UnknownSettingsCheck.check(System.getenv().keySet());
        boolean named = config.nodes().filter(nodes -> !nodes.isEmpty()).isPresent();
        if (named) {
            return new OwnMasters(Optional.empty());
        }
        if (!config.embedded()) {
            throw new ConfigurationException("quorumlock.nodes is not set. Name your Redis masters, as in"
                    + " QUORUMLOCK_NODES=redis://a:6379,redis://b:6379,redis://c:6379,redis://d:6379,redis://e:6379,"
                    + " or try it without any: QUORUMLOCK_EMBEDDED=true starts five throw-away ones");
        }
        return new OwnMasters(Optional.of(EmbeddedMasters.start(EMBEDDED_MASTERS)));
    }

    @Produces
    @Singleton
    EngineContext engineContext(Vertx vertx) {
        return EventLoop.engineContext(vertx);
    }

    /** Is where the masters are, whoever started them. */
    record Masters(List<NodeAddress> addresses) {}

    @Produces
    @Singleton
    Masters masters(OwnMasters own) {
        List<String> urls = own.masters()
                .map(masters -> masters.urls().stream().map(URI::toString).toList())
                .or(config::nodes)
                .orElseThrow();
        return new Masters(ConfigCheck.addresses(urls));
    }

    @Produces
    @Singleton
    RedisFleet fleet(OwnMasters own, Masters masters, Vertx vertx, EngineContext engineContext, NodeListener events) {
        RestartGuard guard = guard(own, masters.addresses().size());
        RedisFleet.Settings settings = new RedisFleet.Settings(
                link(), keyPrefixes(), config.extensions().max(), guard);
        return new RedisFleet(masters.addresses(), settings, vertx, engineContext, events);
    }

    @Produces
    @Singleton
    RedisReleaseSignal releaseSignal(Masters masters, Vertx vertx, EngineContext engineContext) {
        return new RedisReleaseSignal(masters.addresses(), link(), keyPrefixes(), vertx, engineContext);
    }

    @Produces
    @Singleton
    RedisAnnouncements announcements(Masters masters, Vertx vertx, EngineContext engineContext) {
        return new RedisAnnouncements(masters.addresses(), link(), keyPrefixes(), vertx, engineContext);
    }

    @Produces
    @Singleton
    MajorityWatch lockWatch(RedisAnnouncements announcements, RedisFleet fleet, EngineContext engineContext) {
        return new MajorityWatch(announcements, fleet.quorum(), engineContext);
    }

    @Produces
    @Singleton
    RedisHeartbeats beats(RedisFleet fleet, Masters masters, Vertx vertx, EngineContext engineContext) {
        return new RedisHeartbeats(fleet, masters.addresses(), link(), keyPrefixes(), vertx, engineContext);
    }

    void close(@Disposes RedisHeartbeats beats) {
        beats.close()
                .orTimeout(CLOSE_SECONDS, TimeUnit.SECONDS)
                .exceptionally(slow -> null)
                .join();
    }

    @Produces
    @Singleton
    SessionManager sessions(
            LockEngine engine, RedisHeartbeats beats, TracingWiring.Followed followed, SessionListener events) {
        Sessions.Bounds bounds =
                new Sessions.Bounds(config.sessions().max(), config.session().max());
        return new SessionManager(engine, beats, bounds, followed.engineContext(), events);
    }

    @Produces
    @Singleton
    StreamLimits streamLimits() {
        return new StreamLimits(config.events().streamsMax(), config.events().heartbeat());
    }

    @Produces
    @Singleton
    RequestLimits requestLimits() {
        return new RequestLimits(
                config.requests().maxInFlight(), config.requests().reserved());
    }

    private LinkSettings link() {
        return new LinkSettings(
                config.node().timeout(),
                config.node().connectTimeout(),
                config.node().caFile());
    }

    /** Our own masters are thrown away with us: there is nothing to guard. */
    private RestartGuard guard(OwnMasters own, int nodes) {
        boolean enabled = config.restartGuard().enabled() && own.masters().isEmpty();
        return new RestartGuard(enabled, nodes, quarantine());
    }

    /** Outlasts every lease of before, by whatever clock. */
    private Duration quarantine() {
        Duration longest = config.ttl().max();
        return longest.plus(drift().of(longest)).plus(QUARANTINE_MARGIN);
    }

    private Drift drift() {
        return new Drift(config.drift().factor(), config.drift().constant());
    }

    private KeyPrefixes keyPrefixes() {
        return new KeyPrefixes(config.lockPrefix().orElse(""), config.fencePrefix());
    }

    /** Closes the connections first, so that the end of our own masters is not taken for a failure. */
    void close(
            @Disposes RedisFleet fleet, OwnMasters own, RedisReleaseSignal signal, RedisAnnouncements announcements) {
        CompletableFuture.allOf(fleet.close(), signal.close(), announcements.close())
                .orTimeout(CLOSE_SECONDS, TimeUnit.SECONDS)
                .exceptionally(slow -> null)
                .join();
        own.masters().ifPresent(EmbeddedMasters::close);
    }

    /** Is what grants, before anybody waits. */
    record Algorithm(LockEngine engine) {}

    @Produces
    @Singleton
    Algorithm algorithm(
            RedisFleet fleet, TracingWiring.Followed followed, LockListener events, TracingWiring.Traces traces) {
        RedlockSettings rules = new RedlockSettings(
                drift(), config.extensions().max(), config.ttl().max());
        return new Algorithm(
                traces.rounds(new Redlock(traces.votes(fleet.lockNodes()), rules, followed.engineContext(), events)));
    }

    @Produces
    @Singleton
    @Typed({WaitQueues.class, WaiterCount.class})
    WaitQueues waitQueues(
            Algorithm algorithm,
            RedisFleet fleet,
            RedisReleaseSignal signal,
            TracingWiring.Followed followed,
            WaitListener events) {
        WaitingLimits limits =
                new WaitingLimits(config.waiters().max(), config.waiters().maxPerResource());
        return new WaitQueues(
                algorithm.engine(),
                fleet.quorum(),
                config.drift().factor(),
                signal,
                limits,
                followed.engineContext(),
                events);
    }

    /** Is the door for all calls. */
    @Produces
    @Singleton
    LockEngine engine(WaitQueues room, TracingWiring.Traces traces) {
        return traces.waits(room);
    }

    @Produces
    @Singleton
    LockDirectory directory(
            RedisFleet fleet, TracingWiring.Followed followed, LockListener events, TracingWiring.Traces traces) {
        List<LockNode> nodes = traces.votes(fleet.lockNodes());
        return traces.rounds(new QuorumDirectory(nodes, followed.engineContext(), events));
    }

    @Produces
    @Singleton
    Limits limits() {
        return new Limits(
                config.ttl().defaultTtl(),
                config.ttl().min(),
                config.ttl().max(),
                config.extensions().max(),
                config.waiting().max(),
                ttl -> drift().validity(ttl, Duration.ZERO));
    }

    @Produces
    @Singleton
    ReadinessRule readinessRule() {
        return new ReadinessRule(config.health().readinessRequiresQuorum());
    }

    @Produces
    @Singleton
    Clock wallClock() {
        return Clock.systemUTC();
    }
}
