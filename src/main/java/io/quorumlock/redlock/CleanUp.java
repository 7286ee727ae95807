// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redlock;

import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.time.EngineContext;
import io.quorumlock.time.MonotonicTime;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The deletion of values of failed attempts (R5) and of released leases, with retries on nodes that did not answer.
 */
final class CleanUp {
    private final Map<LockNode, PendingDeletes> pendingDeletes;
    private final EngineContext engineContext;
    private final Map<LeaseKey, LeaseDeletes> unfinishedReleases = new HashMap<>();

    private record LeaseKey(ResourceName resource, LeaseToken token) {}

    CleanUp(List<LockNode> nodes, int maxPending, EngineContext engineContext) {
        this.engineContext = engineContext;
        this.pendingDeletes = nodes.stream()
                .collect(Collectors.toMap(
                        Function.identity(), node -> new PendingDeletes(node, maxPending, engineContext)));
    }

    /**
     * Deletes the matching value from a node now. Retries until the node acknowledges it or the TTL is over.
     *
     * @param ttl time after which the value has expired
     * @param reply receives the first reply of the node
     */
    void delete(LockNode node, DeleteCondition condition, Duration ttl, Consumer<NodeReply> reply) {
        delete(node, condition, ttl, PendingDeletes.Owner.ATTEMPT, reply);
    }

    private void delete(
            LockNode node,
            DeleteCondition condition,
            Duration ttl,
            PendingDeletes.Owner owner,
            Consumer<NodeReply> reply) {
        MonotonicTime end = engineContext.clock().now().plus(ttl);
        node.release(condition, result -> {
            if (result instanceof NodeReply.Failed) {
                pendingDeletes.get(node).add(condition, end, owner);
            } else {
                owner.deleteEnded();
            }
            reply.accept(result);
        });
    }

    /** Returns a query that releases a lease: it deletes any value of the token, as {@link #delete} does. */
    QuorumRound.Query release(DeleteCondition condition, Duration ttl) {
        LeaseDeletes deletes = unfinishedReleases.computeIfAbsent(
                new LeaseKey(condition.resource(), condition.token()), LeaseDeletes::new);
        deletes.outstanding += pendingDeletes.size();
        PendingDeletes.Owner release = new ReleaseDeletes(deletes, deletes.acquires);
        return (node, reply) -> delete(node, condition, ttl, release, reply);
    }

    /**
     * Postpones the retries of earlier releases with this token, because a retry could delete a vote of the new acquire.
     * What was sent before on the same connection reaches the node before the acquire.
     *
     * @return receives whether a caller got a lease of the token. Then the retries end, otherwise they continue
     */
    Consumer<Boolean> acquireStarted(ResourceName resource, LeaseToken token) {
        LeaseDeletes deletes = unfinishedReleases.get(new LeaseKey(resource, token));
        if (deletes == null) {
            return leased -> {};
        }
        return new StartedAcquire(deletes);
    }

    /** Returns the number of deletes to retry. */
    int pending() {
        return pendingDeletes.values().stream().mapToInt(PendingDeletes::size).sum();
    }

    /** The deletes of the releases with one token, on all nodes. */
    private static final class LeaseDeletes {
        private final LeaseKey lease;
        private int outstanding;
        /** Number of acquires that were started since the first of these releases. */
        private int acquires;

        private int acquiring;
        /** Releases after this number of acquires or fewer are superseded by a lease. */
        private int superseded = -1;

        private LeaseDeletes(LeaseKey lease) {
            this.lease = lease;
        }
    }

    /** An acquire with the token of earlier releases, until its end is reported for the first time. */
    private static final class StartedAcquire implements Consumer<Boolean> {
        private final LeaseDeletes deletes;
        private final int acquiresBefore;
        private boolean ended;

        private StartedAcquire(LeaseDeletes deletes) {
            this.deletes = deletes;
            this.acquiresBefore = deletes.acquires++;
            deletes.acquiring++;
        }

        @Override
        public void accept(Boolean leased) {
            if (ended) {
                return;
            }
            ended = true;
            deletes.acquiring--;
            if (leased) {
                deletes.superseded = Math.max(deletes.superseded, acquiresBefore);
            }
        }
    }

    /** The deletes of one release. */
    private final class ReleaseDeletes implements PendingDeletes.Owner {
        private final LeaseDeletes deletes;
        private final int acquiresBefore;

        private ReleaseDeletes(LeaseDeletes deletes, int acquiresBefore) {
            this.deletes = deletes;
            this.acquiresBefore = acquiresBefore;
        }

        @Override
        public PendingDeletes.Retries retries() {
            if (acquiresBefore <= deletes.superseded) {
                return PendingDeletes.Retries.UNWANTED;
            }
            return deletes.acquiring > 0 ? PendingDeletes.Retries.POSTPONED : PendingDeletes.Retries.WANTED;
        }

        @Override
        public void deleteEnded() {
            if (--deletes.outstanding == 0) {
                unfinishedReleases.remove(deletes.lease, deletes);
            }
        }
    }
}
