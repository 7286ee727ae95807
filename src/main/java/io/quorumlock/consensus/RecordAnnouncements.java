// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.consensus;

import io.quorumlock.events.Announcements;
import io.quorumlock.events.LockWatch.LockEvent;
import io.quorumlock.lock.LockKind;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.time.MonotonicTime;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The announcements of changed records. What a store reports without its content is read while somebody listens. The
 * store counts as one master. A forced release is announced as a release: both delete the record.
 */
final class RecordAnnouncements implements Announcements, Records.Listener {
    private static final int STORE = 0;

    private final Records records;
    private final Set<Announcements.Listener> listeners = new LinkedHashSet<>();
    /** Since when somebody has listened. What was written before is not announced when it is read. */
    private MonotonicTime begun;

    RecordAnnouncements(Records records) {
        this.records = records;
        this.begun = records.now();
        records.add(this);
    }

    @Override
    public Listening listen(Announcements.Listener listener) {
        if (listeners.isEmpty()) {
            begun = records.now();
        }
        listeners.add(listener);
        if (records.areWatched()) {
            listener.subscribed(STORE);
        }
        return () -> listeners.remove(listener);
    }

    @Override
    public void restarted() {
        tell(listener -> listener.subscribed(STORE));
    }

    @Override
    public void lost(MonotonicTime since) {
        tell(listener -> listener.subscriptionLost(STORE, since));
    }

    /** Reads the content. */
    @Override
    public void changed(ResourceName name) {
        if (!listeners.isEmpty()) {
            records.read(name, reply -> {});
        }
    }

    @Override
    public void written(Sighting lease) {
        Duration left = lease.remaining(records.now());
        if (!lease.since().isBefore(begun) && !left.isNegative() && !left.isZero()) {
            announce(kind(lease.record()), lease, left);
        }
    }

    private static LockEvent.Kind kind(LockRecord record) {
        if (record.isKept()) {
            return LockEvent.Kind.RELEASED;
        }
        return record.beginsLease() ? LockEvent.Kind.ACQUIRED : LockEvent.Kind.EXTENDED;
    }

    /** The end of a lease that expired is not announced. */
    @Override
    public void removed(ResourceName name, Optional<Sighting> last) {
        last.filter(lease -> !lease.isExpired(records.now()))
                .ifPresent(lease -> announce(LockEvent.Kind.RELEASED, lease, Duration.ZERO));
    }

    private void announce(LockEvent.Kind kind, Sighting lease, Duration left) {
        Announcement announcement = new Announcement(
                kind,
                lease.stored().name(),
                lease.record().owner(),
                lease.fence(),
                left,
                LockKind.EXCLUSIVE,
                Optional.empty());
        tell(listener -> listener.announced(STORE, announcement));
    }

    private void tell(Consumer<Announcements.Listener> event) {
        List.copyOf(listeners).forEach(event);
    }
}
