// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.app;

import io.quorumlock.embedded.EmbeddedMasters;
import io.quorumlock.engines.masters.RedisFleet;
import io.quorumlock.engines.masters.RestartGuard;
import io.quorumlock.engines.redis.Subscriptions;
import io.quorumlock.settings.Mistakes;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jboss.logging.Logger;
import org.jboss.logging.Logger.Level;

/** The connections to Redis masters, and the masters themselves if they are temporary. */
record MasterConnections(
        RedisFleet fleet,
        Subscriptions subscriptions,
        RestartGuard guard,
        Duration longestTtl,
        Optional<EmbeddedMasters> embedded)
        implements Backend.Connections {
    private static final Logger LOG = Logger.getLogger(MasterConnections.class);
    /** A longer one is probably a mistake in the unit. */
    private static final Duration LONG_QUARANTINE = Duration.ofMinutes(61);

    @Override
    public CompletableFuture<List<String>> open(Duration patience) {
        if (guard.enabled() && !guard.mastersPersist()) {
            logQuarantine();
        }
        return fleet.open(patience);
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
                Mistakes.shown(longestTtl));
    }

    @Override
    public CompletableFuture<Void> firstQuorum() {
        return fleet.firstQuorum();
    }

    @Override
    public Optional<String> problem() {
        return Optional.empty();
    }

    @Override
    public void started() {
        fleet.logAvailability();
        embedded.ifPresent(EmbeddedMasters::keepUntilClosed);
    }

    /**
     * Closes the connections before the embedded masters, so that the stop of the masters is not logged as a failure.
     */
    @Override
    public void close() {
        EventLoop.awaitClosed("connections", CompletableFuture.allOf(fleet.close(), subscriptions.close()));
        embedded.ifPresent(EmbeddedMasters::close);
    }
}
