// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.masters;

import io.quorumlock.core.fleet.Fleet;
import io.quorumlock.core.fleet.ServerListener;
import io.quorumlock.core.fleet.ServerStatus;
import io.quorumlock.core.loop.EngineContext;
import io.quorumlock.engines.redis.KeyPrefixes;
import io.quorumlock.engines.redis.LinkSettings;
import io.quorumlock.engines.redis.MasterAddress;
import io.quorumlock.engines.redis.MasterConnection.MasterConnector;
import io.quorumlock.engines.redis.RedisConnector;
import io.quorumlock.engines.redis.ScriptOperation;
import io.quorumlock.engines.redis.StallWatch;
import io.quorumlock.engines.redlock.LockMaster;
import io.quorumlock.engines.redlock.Quorum;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jboss.logging.Logger;

/** All configured masters, opened and closed together. */
public final class RedisFleet implements Fleet {
    private static final Logger LOG = Logger.getLogger(RedisFleet.class);

    /** The maximum number of extensions if there is no limit: no lease reaches it. */
    public static final int NO_LIMIT = Integer.MAX_VALUE;

    private final List<MasterLink> links = new ArrayList<>();
    private final List<LockMaster> masters = new ArrayList<>();
    private final EngineContext engineContext;
    private final Quorum quorum;
    /** Whether a majority voted when that was last logged; empty before the first time. */
    private Optional<Boolean> available = Optional.empty();

    /** The settings common to all masters. */
    public record Settings(LinkSettings link, KeyPrefixes keys, int extensionsMax, RestartGuard guard) {}

    /** Creates the links to these addresses, in their order. {@link #open} connects them. */
    public RedisFleet(
            List<MasterAddress> addresses,
            Settings settings,
            Vertx vertx,
            EngineContext engineContext,
            ServerListener listener) {
        this(
                addresses,
                address -> new RedisConnector(vertx, engineContext.scheduler(), address, settings.link()),
                settings,
                engineContext,
                listener);
    }

    RedisFleet(
            List<MasterAddress> addresses,
            Function<MasterAddress, MasterConnector> connectors,
            Settings settings,
            EngineContext engineContext,
            ServerListener listener) {
        this.engineContext = engineContext;
        this.quorum = new Quorum(addresses.size());
        ClockComparison clocks = new ClockComparison(engineContext);
        FleetContext context = new FleetContext(
                new ServerIdentities(),
                settings.guard(),
                MasterAddress.list(addresses),
                new FleetView(addresses.size()),
                clocks,
                new StallWatch(engineContext.clock(), settings.link().timeout(), LinkLog::stalled),
                listener,
                () -> links.forEach(MasterLink::check),
                this::votersChanged);
        List<String> commands = Arrays.stream(ScriptOperation.values())
                .map(ScriptOperation::command)
                .toList();
        for (MasterAddress address : addresses) {
            String alias = "node-" + (links.size() + 1);
            listener.expects(alias, commands);
            MasterLink link =
                    new MasterLink(alias, address, connectors.apply(address), settings.link(), engineContext, context);
            links.add(link);
            masters.add(new RedisMaster(link, settings.keys(), settings.extensionsMax()));
        }
        clocks.watch(links.stream().map(MasterLink::clockWatch).toList());
    }

    /**
     * Connects to all masters, and reconnects until closed.
     *
     * @param patience maximum time to wait for the first contact with each master
     * @return the reasons why some servers can never be masters of this fleet (R2), after the first contact with each
     */
    public CompletableFuture<List<String>> open(Duration patience) {
        List<CompletableFuture<Optional<String>>> outcomes =
                links.stream().map(link -> link.firstContact().outcome().copy()).toList();
        engineContext.loop().execute(() -> {
            links.forEach(MasterLink::open);
            engineContext
                    .scheduler()
                    .after(patience, () -> outcomes.forEach(outcome -> outcome.complete(Optional.empty())));
        });
        return CompletableFuture.allOf(outcomes.toArray(CompletableFuture[]::new))
                .thenApply(all -> outcomes.stream()
                        .flatMap(outcome -> outcome.join().stream())
                        .toList());
    }

    /** Returns a future that completes when a majority votes for the first time. */
    public CompletableFuture<Void> firstQuorum() {
        CompletableFuture<Void> reached = new CompletableFuture<>();
        AtomicInteger missing = new AtomicInteger(quorum.required());
        for (MasterLink link : links) {
            link.firstContact().up().thenRun(() -> {
                if (missing.decrementAndGet() == 0) {
                    reached.complete(null);
                }
            });
        }
        return reached;
    }

    /** Begins to log when a majority is lost, and when it is back. Logs now if none votes. */
    public void logAvailability() {
        engineContext.loop().execute(() -> {
            available = Optional.of(true);
            votersChanged();
        });
    }

    private void votersChanged() {
        boolean now = hasQuorum();
        if (available.isEmpty() || available.get() == now) {
            return;
        }
        available = Optional.of(now);
        if (now) {
            LOG.infof("locks available again: %d of %d masters vote", up(), links.size());
        } else {
            LOG.warnf(
                    "locks unavailable: %d of %d masters vote, %d are required", up(), links.size(), quorum.required());
        }
    }

    /** Closes all connections permanently. */
    public CompletableFuture<Void> close() {
        return CompletableFuture.runAsync(() -> links.forEach(MasterLink::close), engineContext.loop());
    }

    List<MasterLink> links() {
        return List.copyOf(links);
    }

    /** Returns all masters, in their order. */
    public List<LockMaster> lockMasters() {
        return List.copyOf(masters);
    }

    @Override
    public List<ServerStatus> servers() {
        return links.stream().map(link -> link.status().get()).toList();
    }

    @Override
    public int quorum() {
        return quorum.required();
    }
}
