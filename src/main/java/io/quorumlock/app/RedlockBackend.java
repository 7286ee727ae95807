// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.app;

import io.quarkus.runtime.configuration.ConfigurationException;
import io.quorumlock.embedded.EmbeddedMasters;
import io.quorumlock.events.LockWatch;
import io.quorumlock.events.MajorityWatch;
import io.quorumlock.fleet.Fleet;
import io.quorumlock.lock.LockDirectory;
import io.quorumlock.lock.LockEngine;
import io.quorumlock.lock.ReleaseSignal;
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
import io.quorumlock.settings.ConfigCheck;
import io.quorumlock.settings.QuorumlockConfig;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jboss.logging.Logger;
import org.jboss.logging.Logger.Level;

/** The Redlock algorithm on independent Redis masters. */
final class RedlockBackend implements Backend {
    private static final Logger LOG = Logger.getLogger(RedlockBackend.class);
    private static final int EMBEDDED_MASTERS = 5;
    private static final Duration QUARANTINE_MARGIN = Duration.ofSeconds(1);
    /** A longer one is probably a mistake in the unit. */
    private static final Duration LONG_QUARANTINE = Duration.ofMinutes(61);

    private final BackendContext context;
    private final KeyPrefixes prefixes;
    private final Optional<EmbeddedMasters> embedded;
    private final RedisFleet redis;
    private final Subscriptions subscriptions;
    private final RedlockSettings settings;
    private final RestartGuard guard;
    private final List<LockMaster> voters;

    RedlockBackend(BackendContext context) {
        this.context = context;
        QuorumlockConfig config = context.config();
        embedded = startEmbedded(config);
        List<MasterAddress> nodes = ConfigCheck.addresses(
                embedded.map(RedlockBackend::urls).or(config::nodes).orElseThrow());
        LinkSettings links = new LinkSettings(
                config.node().timeout(),
                config.node().connectTimeout(),
                config.node().caFile());
        prefixes = new KeyPrefixes(config.lockPrefix().orElse(""), config.fencePrefix());
        guard = restartGuard();
        redis = new RedisFleet(
                nodes,
                new RedisFleet.Settings(
                        links, prefixes, config.extensions().max().orElse(RedisFleet.NO_LIMIT), guard),
                context.vertx(),
                context.loop(),
                context.masterListener());
        subscriptions = new Subscriptions(nodes, links, context.vertx(), context.loop());
        settings = new RedlockSettings(
                context.drift(),
                config.extensions().max(),
                ConfigCheck.longestTtl(config),
                config.node().timeout());
        voters = context.tracing()
                .map(tracing -> tracing.votes(redis.lockMasters()))
                .orElseGet(redis::lockMasters);
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
    private RestartGuard restartGuard() {
        QuorumlockConfig config = context.config();
        Duration longest = ConfigCheck.longestTtl(config);
        return new RestartGuard(
                config.restartGuard().enabled() && embedded.isEmpty(),
                config.mastersPersist(),
                longest.plus(context.drift().of(longest)).plus(QUARANTINE_MARGIN),
                context.readOnly());
    }

    @Override
    public LockEngine algorithm() {
        return new Redlock(voters, settings, context.traced(), context.lockListener());
    }

    @Override
    public LockDirectory directory() {
        return new QuorumDirectory(voters, settings, context.traced(), context.lockListener());
    }

    @Override
    public ReleaseSignal signal() {
        return new RedisReleaseSignal(prefixes, subscriptions);
    }

    @Override
    public LockWatch watch() {
        return new MajorityWatch(new RedisAnnouncements(prefixes, subscriptions), quorum(), context.loop());
    }

    @Override
    public int quorum() {
        return redis.quorum();
    }

    @Override
    public Fleet fleet() {
        return redis;
    }

    @Override
    public CompletableFuture<List<String>> open(Duration patience) {
        if (guard.enabled() && !guard.mastersPersist()) {
            logQuarantine();
        }
        return redis.open(patience);
    }

    /** Shows what the restart of a master costs. */
    private void logQuarantine() {
        Duration quarantine = guard.quarantine();
        LOG.logf(
                quarantine.compareTo(LONG_QUARANTINE) > 0 ? Level.WARN : Level.INFO,
                "masters without persistence quarantine=%ds ttl_max=%s advice=\"lower QUORUMLOCK_TTL_MAX, or set"
                        + " appendonly yes and appendfsync always on all masters, and then"
                        + " QUORUMLOCK_MASTERS_PERSIST=true\"",
                quarantine.toSeconds(),
                ConfigCheck.shown(ConfigCheck.longestTtl(context.config())));
    }

    @Override
    public CompletableFuture<Void> firstQuorum() {
        return redis.firstQuorum();
    }

    @Override
    public void started() {
        redis.logAvailability();
        embedded.ifPresent(EmbeddedMasters::keepUntilClosed);
    }

    /**
     * Closes the connections before the embedded masters, so that the stop of the masters is not logged as a failure.
     */
    @Override
    public void close() {
        EventLoop.awaitClosed(CompletableFuture.allOf(redis.close(), subscriptions.close()));
        embedded.ifPresent(EmbeddedMasters::close);
    }
}
