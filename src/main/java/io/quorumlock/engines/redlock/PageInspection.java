// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redlock;

import io.quorumlock.core.fleet.ServerFailure;
import io.quorumlock.core.lock.Listing;
import io.quorumlock.core.lock.Listing.HeldLock;
import io.quorumlock.core.lock.NoQuorumReason;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.engines.redlock.MasterReply.Failed;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/** The inspection of the locks of one page, in batches, on every master that returned all its locks. */
final class PageInspection {
    private static final int BATCH_SIZE = 50;

    private final NameSearch.Found found;
    private final List<LockMaster> masters;
    private final Executor loop;
    private final Consumer<Listing> callback;
    private final SortedMap<String, HeldLock> locks = new TreeMap<>();
    /** The smallest number of masters behind any result on the page. */
    private int fewestMasters;

    private int outstanding;

    PageInspection(NameSearch.Found found, List<LockMaster> masters, Executor loop, Consumer<Listing> callback) {
        this.found = found;
        this.masters = masters;
        this.loop = loop;
        this.callback = callback;
        this.fewestMasters = found.searched().size();
    }

    void run() {
        inspectFrom(0);
    }

    private void inspectFrom(int first) {
        Quorum quorum = new Quorum(masters.size());
        if (first < found.names().size()) {
            inspectBatch(first);
        } else if (fewestMasters < quorum.required()) {
            callback.accept(new Listing.NoQuorum(
                    new NoQuorumReason(fewestMasters, quorum.required(), quorum.total(), NoQuorumReason.Effect.NONE),
                    List.copyOf(locks.values())));
        } else {
            callback.accept(new Listing.Page(List.copyOf(locks.values()), found.last()));
        }
    }

    private void inspectBatch(int first) {
        int end = Math.min(found.names().size(), first + BATCH_SIZE);
        outstanding = end - first;
        for (ResourceName resource : found.names().subList(first, end)) {
            QuorumRound.runToEnd(masters, (master, reply) -> inspect(master, resource, reply), collector -> {
                add(resource, collector);
                if (--outstanding == 0) {
                    loop.execute(() -> inspectFrom(end));
                }
            });
        }
    }

    private void inspect(LockMaster master, ResourceName resource, Consumer<MasterReply> reply) {
        if (found.searched().contains(master)) {
            master.inspect(resource, reply);
        } else {
            reply.accept(new Failed(ServerFailure.TIMEOUT, false));
        }
    }

    /** Adds a lock to the page, unless it has ended or another program wrote it. */
    private void add(ResourceName resource, VoteCollector collector) {
        List<HolderVotes> holders = HolderVotes.possible(collector);
        Optional<HolderVotes> leading = holders.stream().findFirst().filter(HolderVotes::isOurs);
        if (leading.filter(HolderVotes::isMajority).isEmpty()) {
            fewestMasters = Math.min(fewestMasters, collector.answered());
        }
        leading.ifPresent(
                votes -> locks.put(resource.text(), new HeldLock(resource, HolderVotes.state(holders, collector))));
    }
}
