// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.consensus;

import io.quorumlock.core.lock.Announcements;
import io.quorumlock.core.lock.LockEventKind;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.loop.MonotonicTime;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The announcements of changed records. A record that a store reports without its content is read if a
 * listener wants it. The store counts as one master. A forced release is announced as a release: both remove the holder.
 */
final class RecordAnnouncements implements Announcements, RecordListener {
    private static final int STORE = 0;

    private final Records records;
    private final Set<Announcements.Listener> listeners = new LinkedHashSet<>();

    RecordAnnouncements(Records records) {
        this.records = records;
        records.add(this);
    }

    @Override
    public int quorum() {
        return 1; // The store is one source.
    }

    @Override
    public Runnable listen(Announcements.Listener listener) {
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

    @Override
    public boolean needs(ResourceName name) {
        return listeners.stream()
                .anyMatch(listener -> listener.wantedSince(name).isPresent());
    }

    /** A lease that was written before a listener wanted its lock is not announced when it is read. */
    @Override
    public void written(Optional<KnownLock> before, KnownLock now) {
        tellOf(now.resource(), (listener, since) -> {
            Set<KnownLease.Id> present = now.keptById().keySet();
            before.ifPresent(record -> announceEnds(listener, record, lease -> !present.contains(lease.id())));
            Set<String> earlier =
                    before.map(KnownLock::firstSeen).map(Map::keySet).orElse(Set.of());
            now.leases().stream()
                    .filter(lease -> !earlier.contains(lease.record().write()))
                    .filter(lease -> !lease.first().since().isBefore(since))
                    .filter(lease -> !lease.isOver(records.now()))
                    .forEach(lease ->
                            announce(listener, kind(lease.record()), now, lease, lease.remaining(records.now())));
        });
    }

    private static LockEventKind kind(LeaseRecord lease) {
        if (lease.kept()) {
            return LockEventKind.RELEASED;
        }
        return lease.beginsLease() ? LockEventKind.ACQUIRED : LockEventKind.EXTENDED;
    }

    @Override
    public void removed(ResourceName name, Optional<KnownLock> last) {
        last.ifPresent(record -> tellOf(name, (listener, since) -> announceEnds(listener, record, lease -> true)));
    }

    /** The end of an expired lease is not announced. The release of a kept one was announced before. */
    private void announceEnds(Announcements.Listener listener, KnownLock record, Predicate<KnownLease> ended) {
        record.unexpired(records.now()).stream()
                .filter(lease -> !lease.record().kept())
                .filter(ended)
                .forEach(lease -> announce(listener, LockEventKind.RELEASED, record, lease, Duration.ZERO));
    }

    private static void announce(
            Announcements.Listener listener, LockEventKind kind, KnownLock record, KnownLease lease, Duration left) {
        listener.announced(
                STORE,
                new Announcement(
                        kind,
                        lease.resource(),
                        lease.owner(),
                        lease.record().fence().orElseThrow(),
                        left,
                        record.kind(),
                        lease.slot()));
    }

    private void tell(Consumer<Announcements.Listener> event) {
        List.copyOf(listeners).forEach(event);
    }

    /** Tells those who want the announcements of a lock, and since when. */
    private void tellOf(ResourceName name, BiConsumer<Announcements.Listener, MonotonicTime> event) {
        tell(listener -> listener.wantedSince(name).ifPresent(since -> event.accept(listener, since)));
    }
}
