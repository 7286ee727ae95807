package io.quorumlock.events;

import io.quorumlock.events.LockEvent.Kind;
import io.quorumlock.lock.FencingToken;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.time.EngineContext;
import io.quorumlock.time.MonotonicTime;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Tells what a majority of the nodes announced, that a lease expired which nobody ended in its time, and when something may be
 * missing. Listens only while somebody does.
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
    private final EngineContext engineContext;
    private final Set<Seat> listeners = new LinkedHashSet<>();
    private final Map<Lease, TrackedLease> leases = new HashMap<>();
    private Announcements.Listening listening;
    private SubscriptionCoverage coverage;

    private record Lease(ResourceName resource, FencingToken fence) {}

    /** Is not a record: one listener may watch twice. */
    private static final class Seat {
        private final Listener listener;

        private Seat(Listener listener) {
            this.listener = listener;
        }
    }

    public MajorityWatch(Announcements announcements, int quorum, EngineContext engineContext) {
        this.announcements = announcements;
        this.quorum = quorum;
        this.engineContext = engineContext;
    }

    @Override
    public Watch watch(Listener listener) {
        Seat seat = new Seat(listener);
        engineContext.loop().execute(() -> join(seat));
        return () -> engineContext.loop().execute(() -> leave(seat));
    }

    private void join(Seat seat) {
        listeners.add(seat);
        if (listening == null) {
            coverage = new SubscriptionCoverage(quorum, engineContext, this::missed);
            listening = announcements.listen(new Ear());
        }
    }

    private void leave(Seat seat) {
        if (listeners.remove(seat) && listeners.isEmpty()) {
            listening.end();
            listening = null;
            coverage.end();
            leases.values().forEach(TrackedLease::forget);
            leases.clear();
        }
    }

    private void count(int node, Announcement said) {
        Lease lease = new Lease(said.resource(), said.fence());
        TrackedLease tracked = leases.get(lease);
        if (tracked == null) {
            if (listening == null || leases.size() >= MOST_LEASES) {
                return;
            }
            tracked = new TrackedLease(quorum);
            leases.put(lease, tracked);
            tracked.next(engineContext.scheduler().after(MEMORY, () -> leases.remove(lease)));
        }
        if (tracked.confirms(node, said.kind())) {
            follow(lease, tracked, said);
            tell(said.kind(), said, said.left());
        }
    }

    private void follow(Lease lease, TrackedLease tracked, Announcement said) {
        boolean stands = said.kind() == Kind.ACQUIRED || said.kind() == Kind.EXTENDED;
        Duration delay = stands ? said.left() : MEMORY;
        tracked.next(engineContext.scheduler().after(delay, () -> {
            leases.remove(lease);
            if (stands) {
                tell(Kind.EXPIRED, said, Duration.ZERO);
            }
        }));
    }

    private void tell(Kind kind, Announcement said, Duration left) {
        LockEvent change = new LockEvent(
                kind,
                said.resource(),
                said.owner(),
                said.fence(),
                left,
                engineContext.wallClock().instant());
        List.copyOf(listeners).forEach(seat -> seat.listener.changed(change));
    }

    private void missed(MonotonicTime since) {
        Instant now = engineContext.wallClock().instant();
        Gap gap = new Gap(now.minus(engineContext.clock().now().since(since)), now);
        List.copyOf(listeners).forEach(seat -> seat.listener.missed(gap));
    }

    /** Takes in what comes from the nodes. */
    private final class Ear implements Announcements.Listener {
        @Override
        public void heard(int node, Announcement announcement) {
            count(node, announcement);
        }

        @Override
        public void begins(int node) {
            coverage.begins(node);
        }

        @Override
        public void breaksOff(int node, MonotonicTime since) {
            coverage.breaksOff(node, since);
        }
    }
}
