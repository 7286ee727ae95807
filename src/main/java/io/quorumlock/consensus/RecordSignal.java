// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.consensus;

import io.quorumlock.lock.ReleaseSignal;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.time.MonotonicTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * The announcements of releases: deleted records, holders that left, and places that are kept. The store counts as one
 * master.
 */
final class RecordSignal implements ReleaseSignal, RecordListener {
    private static final int STORE = 0;

    private final Records records;
    private final Executor loop;
    private final Map<ResourceName, Listener> waiting = new HashMap<>();

    RecordSignal(Records records, Executor loop) {
        this.records = records;
        this.loop = loop;
        records.add(this);
    }

    /** A place may have become free since the last attempt, before this call. */
    @Override
    public Watch watch(ResourceName resource, Listener listener) {
        waiting.put(resource, listener);
        if (records.areWatched() && isHeldAlone(resource)) {
            listener.subscribed(STORE, false);
        } else {
            loop.execute(() -> {
                if (waiting.get(resource) == listener && records.areWatched()) {
                    listener.subscribed(STORE, true);
                }
            });
        }
        return () -> waiting.remove(resource, listener);
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
        Listener listener = waiting.get(resource);
        if (listener != null) {
            listener.released(STORE);
        }
    }

    @Override
    public void restarted() {
        List.copyOf(waiting.values()).forEach(listener -> listener.subscribed(STORE, true));
    }

    @Override
    public void lost(MonotonicTime since) {
        List.copyOf(waiting.values()).forEach(listener -> listener.lost(STORE));
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
        boolean left = needs(now.resource())
                && before.filter(record -> !now.keptById()
                                .entrySet()
                                .containsAll(record.keptById().entrySet()))
                        .isPresent();
        if (left) {
            released(now.resource());
        }
    }

    /** The store does not know how many replicas wait. They all contend, and the first one wins. */
    @Override
    public void removed(ResourceName name, Optional<KnownLock> last) {
        released(name);
    }
}
