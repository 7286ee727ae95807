package io.quorumlock.redlock;

import io.quorumlock.lock.HeldLock;
import io.quorumlock.lock.Listing;
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

/** Inspects the locks of one page on every node that named all of its own, some at a time. */
final class PageInspection {
    private static final int AT_ONCE = 50;

    private final NameSearch.Found found;
    private final List<LockNode> nodes;
    private final Executor loop;
    private final Consumer<Listing> answer;
    private final SortedMap<String, HeldLock> locks = new TreeMap<>();
    /** Is the fewest nodes that anything on the page rests on. */
    private int fewest;

    private int outstanding;

    PageInspection(NameSearch.Found found, List<LockNode> nodes, Executor loop, Consumer<Listing> answer) {
        this.found = found;
        this.nodes = nodes;
        this.loop = loop;
        this.answer = answer;
        this.fewest = found.searched().size();
    }

    void run() {
        readFrom(0);
    }

    private void readFrom(int first) {
        Quorum quorum = new Quorum(nodes.size());
        if (fewest < quorum.required()) {
            answer.accept(new Listing.NoQuorum(
                    new NoQuorumReason(fewest, quorum.required(), quorum.total(), NoQuorumReason.Effect.NONE)));
        } else if (first < found.names().size()) {
            readSome(first);
        } else {
            answer.accept(new Listing.Page(List.copyOf(locks.values()), found.last()));
        }
    }

    private void readSome(int first) {
        int end = Math.min(found.names().size(), first + AT_ONCE);
        outstanding = end - first;
        for (ResourceName resource : found.names().subList(first, end)) {
            QuorumRound.hearAll(nodes, (node, reply) -> inspect(node, resource, reply), collector -> {
                add(resource, collector);
                if (--outstanding == 0) {
                    loop.execute(() -> readFrom(end));
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

    /** Leaves out what has ended meanwhile, and what is another program's. */
    private void add(ResourceName resource, VoteCollector collector) {
        Optional<HolderVotes> leading = HolderVotes.leading(collector).filter(HolderVotes::areOurs);
        if (leading.filter(HolderVotes::isMajority).isEmpty()) {
            fewest = Math.min(fewest, collector.answered());
        }
        leading.ifPresent(votes -> locks.put(
                resource.text(),
                new HeldLock(
                        resource, votes.owner(), votes.remaining(), votes.fence(), collector.votes(votes.count()))));
    }
}
