package io.quorumlock.events;

import io.quorumlock.lock.FencingToken;
import io.quorumlock.lock.LockChange;
import io.quorumlock.lock.LockChange.Kind;
import io.quorumlock.lock.LockWatch;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.time.Surroundings;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Tells what a majority of the nodes announced, and that a lease expired which nobody ended in its time. Listens only while
 * somebody does.
 *
 * <p>May be called from any thread; all state lives on the loop of its surroundings.
 */
public final class MajorityWatch implements LockWatch {
    /** Nodes hear of one thing within moments; a lease of which no majority speaks is forgotten after this. */
    private static final Duration MEMORY = Duration.ofSeconds(5);

    /** Leases followed at a time (R14); what is said of more is not told. */
    private static final int MOST_LEASES = 100_000;

    private final Announcements announcements;
    private final int quorum;
    private final Surroundings surroundings;
    private final Set<Listener> listeners = new LinkedHashSet<>();
    private final Map<Lease, TrackedLease> leases = new HashMap<>();
    private Announcements.Listening listening;

    private record Lease(ResourceName resource, FencingToken fence) {}

    /** Is not a record: two listeners are never the same. */
    private static final class Listener {
        private final Consumer<LockChange> changes;

        private Listener(Consumer<LockChange> changes) {
            this.changes = changes;
        }
    }

    public MajorityWatch(Announcements announcements, int quorum, Surroundings surroundings) {
        this.announcements = announcements;
        this.quorum = quorum;
        this.surroundings = surroundings;
    }

    @Override
    public Watch watch(Consumer<LockChange> changes) {
        Listener listener = new Listener(changes);
        surroundings.loop().execute(() -> join(listener));
        return () -> surroundings.loop().execute(() -> leave(listener));
    }

    private void join(Listener listener) {
        listeners.add(listener);
        if (listening == null) {
            listening = announcements.listen(this::heard);
        }
    }

    private void leave(Listener listener) {
        if (listeners.remove(listener) && listeners.isEmpty()) {
            listening.end();
            listening = null;
            leases.values().forEach(TrackedLease::forget);
            leases.clear();
        }
    }

    private void heard(int node, Announcement said) {
        Lease lease = new Lease(said.resource(), said.fence());
        TrackedLease tracked = leases.get(lease);
        if (tracked == null) {
            if (listening == null || leases.size() >= MOST_LEASES) {
                return;
            }
            tracked = new TrackedLease(quorum);
            leases.put(lease, tracked);
            tracked.next(surroundings.scheduler().after(MEMORY, () -> leases.remove(lease)));
        }
        if (tracked.confirms(node, said.kind())) {
            follow(lease, tracked, said);
            tell(said.kind(), said, said.left());
        }
    }

    private void follow(Lease lease, TrackedLease tracked, Announcement said) {
        boolean stands = said.kind() == Kind.ACQUIRED || said.kind() == Kind.EXTENDED;
        Duration delay = stands ? said.left() : MEMORY;
        tracked.next(surroundings.scheduler().after(delay, () -> {
            leases.remove(lease);
            if (stands) {
                tell(Kind.EXPIRED, said, Duration.ZERO);
            }
        }));
    }

    private void tell(Kind kind, Announcement said, Duration left) {
        LockChange change = new LockChange(
                kind,
                said.resource(),
                said.owner(),
                said.fence(),
                left,
                surroundings.wallClock().instant());
        List.copyOf(listeners).forEach(listener -> listener.changes.accept(change));
    }
}
