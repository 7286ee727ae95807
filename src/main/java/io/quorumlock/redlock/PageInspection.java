// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redlock;

import io.quorumlock.lock.Listing;
import io.quorumlock.lock.Listing.HeldLock;
import io.quorumlock.lock.NoQuorumReason;
import io.quorumlock.lock.NodeFailure;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.redlock.NodeReply.Failed;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/** The inspection of the locks of one page, in batches, on every node that returned all its locks. */
final class PageInspection {
    private static final int BATCH_SIZE = 50;

    private final NameSearch.Found found;
    private final List<LockNode> nodes;
    private final Executor loop;
    private final Consumer<Listing> callback;
    private final SortedMap<String, HeldLock> locks = new TreeMap<>();
    /** The smallest number of nodes behind any result on the page. */
    private int fewestNodes;

    private int outstanding;

    PageInspection(NameSearch.Found found, List<LockNode> nodes, Executor loop, Consumer<Listing> callback) {
        this.found = found;
        this.nodes = nodes;
        this.loop = loop;
        this.callback = callback;
        this.fewestNodes = found.searched().size();
    }

    void run() {
        inspectFrom(0);
    }

    private void inspectFrom(int first) {
        Quorum quorum = new Quorum(nodes.size());
        if (fewestNodes < quorum.required()) {
            callback.accept(new Listing.NoQuorum(
                    new NoQuorumReason(fewestNodes, quorum.required(), quorum.total(), NoQuorumReason.Effect.NONE)));
        } else if (first < found.names().size()) {
            inspectBatch(first);
        } else {
            callback.accept(new Listing.Page(List.copyOf(locks.values()), found.last()));
        }
    }

    private void inspectBatch(int first) {
        int end = Math.min(found.names().size(), first + BATCH_SIZE);
        outstanding = end - first;
        for (ResourceName resource : found.names().subList(first, end)) {
            QuorumRound.runToEnd(nodes, (node, reply) -> inspect(node, resource, reply), collector -> {
                add(resource, collector);
                if (--outstanding == 0) {
                    loop.execute(() -> inspectFrom(end));
                }
            });
        }
    }

    private void inspect(LockNode node, ResourceName resource, Consumer<NodeReply> reply) {
        if (found.searched().contains(node)) {
            node.inspect(resource, reply);
        } else {
            reply.accept(new Failed(NodeFailure.TIMEOUT, false));
        }
    }

    /** Adds a lock to the page, unless it has ended or another program wrote it. */
    private void add(ResourceName resource, VoteCollector collector) {
        Optional<HolderVotes> leading = HolderVotes.leading(collector).filter(HolderVotes::isOurs);
        if (leading.filter(HolderVotes::isMajority).isEmpty()) {
            fewestNodes = Math.min(fewestNodes, collector.answered());
        }
        leading.ifPresent(votes -> locks.put(
                resource.text(),
                new HeldLock(
                        resource, votes.owner(), votes.remaining(), votes.fence(), collector.votes(votes.count()))));
    }
}
