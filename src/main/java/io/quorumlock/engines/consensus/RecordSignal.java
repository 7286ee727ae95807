// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.consensus;

import io.quorumlock.core.lock.ReleaseSignal;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.loop.MonotonicTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * The announcements of releases: deleted records, holders that left, and places that are kept. The store counts as one
 * master. That of an exclusive lock tells how many replicas wait.
 */
final class RecordSignal implements ReleaseSignal, RecordListener {
    private static final int STORE = 0;

    private final Records records;
    private final String replica;
    private final Executor loop;
    private final Map<ResourceName, Waiting> waiting = new HashMap<>();

    private record Waiting(Listener listener, WaitingReplicas replicas) {}

    /** @param replica the name of this replica in records */
    RecordSignal(Records records, String replica, Executor loop) {
        this.records = records;
        this.replica = replica;
        this.loop = loop;
        records.add(this);
    }

    /** A place may have become free since the last attempt, before this call. */
    @Override
    public Runnable watch(ResourceName resource, Listener listener) {
        Waiting begun = new Waiting(listener, new WaitingReplicas(replica));
        waiting.put(resource, begun);
        records.known(resource).ifPresent(begun.replicas()::written);
        if (records.areWatched() && isHeldAlone(resource)) {
            listener.subscribed(STORE, false);
        } else {
            loop.execute(() -> {
                if (waiting.get(resource) == begun && records.areWatched()) {
                    listener.subscribed(STORE, true);
                }
            });
        }
        return () -> waiting.remove(resource, begun);
    }

    /** A release of such a lock deletes the record or keeps its place, so that none is missed. */
    private boolean isHeldAlone(ResourceName resource) {
        return records.known(resource)
                .filter(record -> record.kind().isExclusive())
                .filter(record -> record.leases().stream()
                        .noneMatch(lease -> lease.record().kept()))
                .isPresent();
    }

    private void released(ResourceName resource) {
        Waiting one = waiting.get(resource);
        if (one != null) {
            one.listener().released(STORE);
        }
    }

    @Override
    public void restarted() {
        List.copyOf(waiting.values()).forEach(one -> one.listener().subscribed(STORE, true));
    }

    @Override
    public void lost(MonotonicTime since) {
        List.copyOf(waiting.values()).forEach(one -> one.listener().lost(STORE));
    }

    /** One of several holders may have left, or a released lock may be kept. */
    @Override
    public boolean needs(ResourceName name) {
        return waiting.containsKey(name);
    }

    /** A holder may have left. */
    @Override
    public void unreadable(ResourceName name) {
        released(name);
    }

    /** A holder that left may let a waiter in. A place that is kept may be free earlier than its waiters know. */
    @Override
    public void written(Optional<KnownLock> before, KnownLock now) {
        Waiting one = waiting.get(now.resource());
        if (one == null) {
            return;
        }
        one.replicas().written(now);
        boolean left = before.filter(record ->
                        !now.keptById().entrySet().containsAll(record.keptById().entrySet()))
                .isPresent();
        if (left) {
            one.listener().released(STORE);
        }
    }

    @Override
    public void removed(ResourceName name, Optional<KnownLock> last) {
        Waiting one = waiting.get(name);
        if (one != null) {
            int replicas = one.replicas().number();
            one.replicas()
                    .removed(last)
                    .ifPresentOrElse(
                            fence -> one.listener().released(STORE, fence.number(), replicas),
                            () -> one.listener().released(STORE));
        }
    }
}
