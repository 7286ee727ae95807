// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.zookeeper;

import io.quorumlock.core.fleet.StoreMajority;
import io.quorumlock.engines.consensus.RecordLayout;
import io.quorumlock.engines.zookeeper.NodeCalls.Node;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** The check of the root at the beginning of each session, and the creation of missing nodes. */
record StoreRoot(RecordPaths paths, ZooKeeperSettings settings, List<ZooKeeperServer> servers, StoreMajority majority) {
    private static final byte[] NO_DATA = {};
    private static final byte[] LAYOUT = RecordLayout.VERSION.getBytes(StandardCharsets.UTF_8);

    /** Fails if the session is with another ensemble than the earlier ones, or the records have another layout. */
    CompletableFuture<Void> prepare(NodeCalls calls) {
        CompletableFuture<Void> created = settings.readOnly()
                ? CompletableFuture.completedFuture(null)
                : NodeCalls.all(
                        paths.ancestors(),
                        path -> calls.createIfMissing(path, path.equals(paths.root()) ? LAYOUT : NO_DATA));
        return created.thenCompose(exists -> calls.read(paths.root()))
                .thenCompose(root -> checkEnsemble(root).thenCompose(ours -> checkLayout(root, calls)))
                .thenCompose(
                        checked -> settings.readOnly() ? CompletableFuture.completedFuture(null) : createNodes(calls));
    }

    /** At the first start there may be no root before that of this replica, so that the servers are asked after it exists. */
    private CompletableFuture<Void> checkEnsemble(Optional<Node> root) {
        String own = ZooKeeperServer.ensemble(root.map(Node::stat));
        CompletableFuture<String> chosen = majority.chosen();
        if (!chosen.isDone()) {
            NodeCalls.all(servers, ZooKeeperServer::askForEnsemble)
                    .whenComplete((all, failure) ->
                            chosen.completeExceptionally(new IllegalStateException(majority.problem())));
        }
        return chosen.thenCompose(ours -> ours.equals(own)
                ? CompletableFuture.completedFuture(null)
                : failed("a server belongs to the store " + own + ", but this replica uses " + ours));
    }

    /** Writes the layout of a root that an operator created. */
    private CompletableFuture<Void> checkLayout(Optional<Node> root, NodeCalls calls) {
        Optional<String> layout = root.map(node -> new String(node.data(), StandardCharsets.UTF_8))
                .filter(text -> !text.isEmpty());
        boolean hasRecords =
                root.filter(node -> node.stat().getNumChildren() > 0).isPresent();
        if (layout.isPresent() || hasRecords) {
            return RecordLayout.refusal(layout)
                    .map(StoreRoot::failed)
                    .orElseGet(() -> CompletableFuture.completedFuture(null));
        }
        return settings.readOnly()
                ? CompletableFuture.completedFuture(null)
                : calls.write(paths.root(), LAYOUT, root.orElseThrow().stat().getVersion());
    }

    private CompletableFuture<Void> createNodes(NodeCalls calls) {
        return calls.children(paths.root()).thenCompose(present -> {
            Set<String> existing = Set.copyOf(present);
            List<String> missing = Stream.concat(paths.buckets().stream(), Stream.of(RecordPaths.UPTIME))
                    .filter(name -> !existing.contains(name))
                    .map(paths::below)
                    .toList();
            return NodeCalls.all(missing, path -> calls.create(path, NO_DATA));
        });
    }

    private static CompletableFuture<Void> failed(String reason) {
        return CompletableFuture.failedFuture(new IllegalStateException(reason));
    }
}
