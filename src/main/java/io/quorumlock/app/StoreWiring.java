// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.app;

import io.quorumlock.core.fleet.PolledFleet;
import io.quorumlock.core.fleet.ServerGauge;
import io.quorumlock.core.loop.EngineSettings;
import io.quorumlock.engines.consensus.Consensus;
import io.quorumlock.engines.consensus.StoreConnection;
import io.quorumlock.settings.Mistakes;
import io.quorumlock.settings.QuorumlockConfig;
import io.quorumlock.settings.TtlBounds;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import org.jboss.logging.Logger;

/** What the stores have in common: the consensus engine on a store. */
final class StoreWiring {
    private static final Logger LOG = Logger.getLogger(StoreWiring.class);
    private static final Pattern ROOT = Pattern.compile("(/[A-Za-z0-9_-]+)+");

    private StoreWiring() {}

    static void checkRoot(String key, String root, Mistakes mistakes) {
        if (!ROOT.matcher(root).matches()) {
            mistakes.refuse(key, root, "not a path; write one such as /quorumlock");
        }
    }

    /**
     * Creates the engine.
     *
     * @param timeout of a call to the store
     * @param own the server of the store in this process
     */
    static Backend create(
            QuorumlockConfig config, EngineParts parts, StoreConnection store, Duration timeout, OwnServer own) {
        Consensus consensus = new Consensus(
                store,
                new EngineSettings(parts.drift(), config.extensions().max(), TtlBounds.longest(config), timeout),
                parts.context(),
                parts.lockListener());
        PolledFleet fleet = new PolledFleet(
                store.members(),
                () -> store.isReady() && own.serves().getAsBoolean(),
                timeout,
                parts.context(),
                parts.serverListener());
        return new Backend(
                consensus,
                consensus,
                consensus.signal(),
                consensus.announcements(),
                fleet,
                own.gauges(),
                new Connections(parts, store, consensus, fleet, own.stop()));
    }

    /**
     * A server of the store in this process.
     *
     * @param serves whether it takes part; may be called from any thread
     * @param stop is called after the connection is closed
     */
    record OwnServer(BooleanSupplier serves, List<ServerGauge> gauges, Runnable stop) {
        static final OwnServer NONE = new OwnServer(() -> true, List.of(), () -> {});
    }

    private record Connections(
            EngineParts parts, StoreConnection store, Consensus consensus, PolledFleet fleet, Runnable afterwards)
            implements Backend.Connections {

        /** A store that does not answer now may do so later. */
        @Override
        public CompletableFuture<List<String>> open(Duration patience) {
            if (parts.readOnly()) {
                consensus.watch();
            } else {
                consensus.start();
            }
            CompletableFuture<List<String>> opened =
                    CompletableFuture.allOf(firstQuorum(), fleet.start()).thenApply(ready -> List.of());
            parts.context().scheduler().after(patience, () -> opened.complete(List.of()));
            return opened;
        }

        @Override
        public CompletableFuture<Void> firstQuorum() {
            return store.firstReady();
        }

        @Override
        public Optional<String> problem() {
            return store.problem();
        }

        @Override
        public void started() {
            if (!store.isReady()) {
                LOG.warnf("locks unavailable: %s", problem().orElse("no connection with the store"));
            }
        }

        @Override
        public void close() {
            fleet.close();
            EventLoop.awaitClosed("connection", store.close());
            afterwards.run();
        }
    }
}
