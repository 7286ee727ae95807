package io.quorumlock.redis;

import io.quorumlock.lock.Fleet;
import io.quorumlock.lock.NodeListener;
import io.quorumlock.lock.NodeStatus;
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

/** Is all configured nodes: opened together, closed together. */
public final class RedisFleet implements Fleet {
    private final List<NodeLink> links = new ArrayList<>();
    private final List<LockNode> nodes = new ArrayList<>();
    private final EngineContext engineContext;
    private final Quorum quorum;

    /** Is what every node has in common. */
    public record Settings(LinkSettings link, KeyPrefixes keys, int extensionsMax, RestartGuard guard) {}

    /** Makes the links to the nodes at these addresses, in their order; {@link #open} connects them. */
    public RedisFleet(
            List<NodeAddress> addresses,
            Settings settings,
            Vertx vertx,
            EngineContext engineContext,
            NodeListener events) {
        this(
                addresses,
                address -> new RedisConnector(vertx, engineContext.scheduler(), address, settings.link()),
                settings,
                engineContext,
                events);
    }

    RedisFleet(
            List<NodeAddress> addresses,
            Function<NodeAddress, NodeConnector> connectors,
            Settings settings,
            EngineContext engineContext,
            NodeListener events) {
        this.engineContext = engineContext;
        this.quorum = new Quorum(addresses.size());
        FleetBootstrap bootstrap = new FleetBootstrap(addresses.size(), engineContext.scheduler());
        SuspensionDetector suspensions = new SuspensionDetector(engineContext);
        FleetContext context = new FleetContext(
                new ServerIdentities(),
                settings.guard(),
                new FleetHistory(addresses.size(), engineContext.random()),
                suspensions,
                bootstrap,
                events);
        for (NodeAddress address : addresses) {
            String alias = "node-" + (links.size() + 1);
            NodeLink link =
                    new NodeLink(alias, address, connectors.apply(address), settings.link(), engineContext, context);
            links.add(link);
            nodes.add(new RedisNode(link, settings.keys(), settings.extensionsMax()));
        }
        suspensions.watch(links.stream().map(NodeLink::clockWatch).toList());
    }

    /**
     * Starts to connect, and keeps connecting until closed.
     *
     * @param patience with nodes that neither answer nor refuse
     * @return once each node was reached or not: why some can never be nodes of this fleet (R2)
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

    /** Completes when a majority is up for the first time. */
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

    /** Closes all connections, for good. */
    public CompletableFuture<Void> close() {
        return CompletableFuture.runAsync(() -> links.forEach(NodeLink::close), engineContext.loop());
    }

    List<NodeLink> links() {
        return List.copyOf(links);
    }

    /** Lists the nodes to vote. */
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
}
