// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redis;

import io.quorumlock.lock.Fleet;
import io.quorumlock.lock.NodeListener;
import io.quorumlock.lock.NodeStatus;
import io.quorumlock.redis.NodeConnection.NodeConnector;
import io.quorumlock.redlock.LockNode;
import io.quorumlock.redlock.Quorum;
import io.quorumlock.time.EngineContext;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** All configured nodes, opened and closed together. */
public final class RedisFleet implements Fleet {
    private final List<NodeLink> links = new ArrayList<>();
    private final List<LockNode> nodes = new ArrayList<>();
    private final EngineContext engineContext;
    private final Quorum quorum;

    /** The settings common to all nodes. */
    public record Settings(LinkSettings link, KeyPrefixes keys, int extensionsMax, RestartGuard guard) {}

    /** Creates the links to these addresses, in their order. {@link #open} connects them. */
    public RedisFleet(
            List<NodeAddress> addresses,
            Settings settings,
            Vertx vertx,
            EngineContext engineContext,
            NodeListener listener) {
        this(
                addresses,
                address -> new RedisConnector(vertx, engineContext.scheduler(), address, settings.link()),
                settings,
                engineContext,
                listener);
    }

    RedisFleet(
            List<NodeAddress> addresses,
            Function<NodeAddress, NodeConnector> connectors,
            Settings settings,
            EngineContext engineContext,
            NodeListener listener) {
        this.engineContext = engineContext;
        this.quorum = new Quorum(addresses.size());
        ClockComparison clocks = new ClockComparison(engineContext);
        FleetContext context = new FleetContext(
                new ServerIdentities(),
                settings.guard(),
                NodeAddress.list(addresses),
                new FleetView(addresses.size()),
                clocks,
                listener,
                () -> links.forEach(NodeLink::check));
        for (NodeAddress address : addresses) {
            String alias = "node-" + (links.size() + 1);
            NodeLink link =
                    new NodeLink(alias, address, connectors.apply(address), settings.link(), engineContext, context);
            links.add(link);
            nodes.add(new RedisNode(link, settings.keys(), settings.extensionsMax()));
        }
        clocks.watch(links.stream().map(NodeLink::clockWatch).toList());
    }

    /**
     * Connects to all nodes, and reconnects until closed.
     *
     * @param patience maximum time to wait for the first contact with each node
     * @return the reasons why some servers can never be nodes of this fleet (R2), after the first contact with each
     */
    public CompletableFuture<List<String>> open(Duration patience) {
        engineContext.loop().execute(() -> links.forEach(NodeLink::open));
        List<CompletableFuture<Optional<String>>> outcomes = links.stream()
                .map(link -> link.firstContact()
                        .outcome()
                        .copy()
                        .completeOnTimeout(Optional.empty(), patience.toMillis(), TimeUnit.MILLISECONDS))
                .toList();
        return CompletableFuture.allOf(outcomes.toArray(CompletableFuture[]::new))
                .thenApply(all -> outcomes.stream()
                        .flatMap(outcome -> outcome.join().stream())
                        .toList());
    }

    /** Returns a future that completes when a majority votes for the first time. */
    public CompletableFuture<Void> firstQuorum() {
        CompletableFuture<Void> reached = new CompletableFuture<>();
        AtomicInteger missing = new AtomicInteger(quorum.required());
        for (NodeLink link : links) {
            link.firstContact().up().thenRun(() -> {
                if (missing.decrementAndGet() == 0) {
                    reached.complete(null);
                }
            });
        }
        return reached;
    }

    /** Closes all connections permanently. */
    public CompletableFuture<Void> close() {
        return CompletableFuture.runAsync(() -> links.forEach(NodeLink::close), engineContext.loop());
    }

    List<NodeLink> links() {
        return List.copyOf(links);
    }

    /** Returns the nodes that vote. */
    public List<LockNode> lockNodes() {
        return List.copyOf(nodes);
    }

    @Override
    public List<NodeStatus> nodes() {
        return links.stream().map(NodeLink::status).toList();
    }

    @Override
    public int quorum() {
        return quorum.required();
    }

    /**
     * Dependencies shared by all links of a fleet.
     *
     * @param masters the list of masters of this replica, as text
     * @param checkAll checks again whether each node may vote
     */
    record FleetContext(
            ServerIdentities identities,
            RestartGuard guard,
            String masters,
            FleetView view,
            ClockComparison clocks,
            NodeListener listener,
            Runnable checkAll) {}
}
