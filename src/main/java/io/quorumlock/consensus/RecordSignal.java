// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.consensus;

import io.quorumlock.lock.ResourceName;
import io.quorumlock.time.MonotonicTime;
import io.quorumlock.waiting.ReleaseSignal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;

/** The announcements of releases: deleted records, and locks that are kept. The store counts as one master. */
final class RecordSignal implements ReleaseSignal, Records.Listener {
    private static final int STORE = 0;

    private final Records records;
    private final Executor loop;
    private final Map<ResourceName, Listener> waiting = new HashMap<>();

    RecordSignal(Records records, Executor loop) {
        this.records = records;
        this.loop = loop;
        records.add(this);
    }

    /** A record that was deleted between the last attempt and this call is announced at once. */
    @Override
    public Watch watch(ResourceName resource, Listener listener) {
        waiting.put(resource, listener);
        if (records.areWatched()) {
            listener.subscribed(STORE, false);
        }
        loop.execute(() -> {
            if (!records.isKnown(resource)) {
                released(resource);
            }
        });
        return () -> waiting.remove(resource, listener);
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

    /** Reads the content: one of several holders may have left, or a released lock may be kept. */
    @Override
    public void changed(ResourceName name) {
        if (waiting.containsKey(name)) {
            records.read(name, reply -> {});
        }
    }

    /** A holder that left may let a waiter in. A place that is kept may be free earlier than its waiters know. */
    @Override
    public void written(Optional<Sighting> before, Sighting now) {
        boolean left = before.stream()
                .flatMap(record -> record.leases().stream())
                .filter(lease -> !lease.record().kept())
                .anyMatch(lease -> now.leases().stream()
                        .noneMatch(one -> one.isSameAs(lease) && !one.record().kept()));
        if (left) {
            released(now.resource());
        }
    }

    /** The store does not know how many replicas wait. They all contend, and the first one wins. */
    @Override
    public void removed(ResourceName name, Optional<Sighting> last) {
        released(name);
    }
}
