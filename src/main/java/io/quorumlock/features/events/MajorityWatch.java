// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.events;

import io.quorumlock.core.lock.Announcements;
import io.quorumlock.core.lock.Announcements.Announcement;
import io.quorumlock.core.lock.FencingToken;
import io.quorumlock.core.lock.LockEventKind;
import io.quorumlock.core.lock.Owner;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.loop.EngineContext;
import io.quorumlock.core.loop.MonotonicTime;
import io.quorumlock.features.events.LockWatch.LockEvent;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The watch of lock events that a majority of the masters announced. Adds expiries of leases, and gaps in which events
 * may be missing. Subscribes to the masters only while there are listeners.
 *
 * <p>Thread-safe. All state is confined to the event loop of the engine.
 */
@Singleton
public final class MajorityWatch implements LockWatch {
    /** Leases whose events no majority announced are dropped after this time. A majority needs milliseconds. */
    private static final Duration RETENTION = Duration.ofSeconds(5);

    /** Maximum number of tracked leases (R14). Events of further leases are dropped. */
    private static final int MAX_LEASES = 100_000;

    private final Announcements announcements;
    private final int quorum;
    private final EngineContext engineContext;
    private final Set<Registration> listeners = new LinkedHashSet<>();
    private final Map<Lease, TrackedLease> leases = new HashMap<>();
    private Runnable subscription;
    private SubscriptionCoverage coverage;

    /** Leases on one resource may have the same fencing token. */
    private record Lease(ResourceName resource, FencingToken fence, Optional<Owner> owner, Optional<Integer> slot) {}

    /** Not a record, because the same listener may register twice. */
    private static final class Registration {
        private final Predicate<ResourceName> resources;
        private final Listener listener;
        private final MonotonicTime since;

        private Registration(Predicate<ResourceName> resources, Listener listener, MonotonicTime since) {
            this.resources = resources;
            this.listener = listener;
            this.since = since;
        }
    }

    public MajorityWatch(Announcements announcements, EngineContext engineContext) {
        this.announcements = announcements;
        this.quorum = announcements.quorum();
        this.engineContext = engineContext;
    }

    @Override
    public Runnable watch(Predicate<ResourceName> resources, Listener listener) {
        Registration registration =
                new Registration(resources, listener, engineContext.clock().now());
        engineContext.loop().execute(() -> join(registration));
        return () -> engineContext.loop().execute(() -> leave(registration));
    }

    private void join(Registration registration) {
        listeners.add(registration);
        if (subscription == null) {
            coverage = new SubscriptionCoverage(quorum, engineContext, this::missed);
            subscription = announcements.listen(new AnnouncementListener());
        }
    }

    private void leave(Registration registration) {
        if (listeners.remove(registration) && listeners.isEmpty()) {
            subscription.run();
            subscription = null;
            coverage.end();
            leases.values().forEach(TrackedLease::cancelTimer);
            leases.clear();
        }
    }

    private void record(int master, Announcement announcement) {
        Lease lease =
                new Lease(announcement.resource(), announcement.fence(), announcement.owner(), announcement.slot());
        TrackedLease tracked = leases.get(lease);
        if (tracked == null) {
            if (subscription == null || leases.size() >= MAX_LEASES) {
                return;
            }
            tracked = new TrackedLease(quorum);
            leases.put(lease, tracked);
            tracked.setTimer(engineContext.scheduler().after(RETENTION, () -> leases.remove(lease)));
        }
        if (tracked.confirms(master, announcement.kind())) {
            scheduleEnd(lease, tracked, announcement);
            publish(announcement.kind(), announcement, announcement.left());
        }
    }

    private void scheduleEnd(Lease lease, TrackedLease tracked, Announcement announcement) {
        boolean isHeld = announcement.kind() == LockEventKind.ACQUIRED || announcement.kind() == LockEventKind.EXTENDED;
        Duration delay = isHeld ? announcement.left() : RETENTION;
        tracked.setTimer(engineContext.scheduler().after(delay, () -> {
            leases.remove(lease);
            if (isHeld) {
                publish(LockEventKind.EXPIRED, announcement, Duration.ZERO);
            }
        }));
    }

    private void publish(LockEventKind kind, Announcement announcement, Duration left) {
        LockEvent event = new LockEvent(
                kind,
                announcement.resource(),
                announcement.owner(),
                announcement.fence(),
                left,
                announcement.lockKind(),
                announcement.slot(),
                engineContext.wallClock().instant());
        List.copyOf(listeners).stream()
                .filter(registration -> registration.resources.test(event.resource()))
                .forEach(registration -> registration.listener.changed(event));
    }

    private void missed(MonotonicTime since) {
        Instant now = engineContext.wallClock().instant();
        Gap gap = new Gap(now.minus(engineContext.clock().now().since(since)), now);
        List.copyOf(listeners).forEach(registration -> registration.listener.missed(gap));
    }

    /** The listener for the announcements of the masters. */
    private final class AnnouncementListener implements Announcements.Listener {
        /** The registrations are in the order of their starts. */
        @Override
        public Optional<MonotonicTime> wantedSince(ResourceName resource) {
            return listeners.stream()
                    .filter(registration -> registration.resources.test(resource))
                    .findFirst()
                    .map(registration -> registration.since);
        }

        @Override
        public void announced(int master, Announcement announcement) {
            record(master, announcement);
        }

        @Override
        public void subscribed(int master) {
            coverage.subscribed(master);
        }

        @Override
        public void subscriptionLost(int master, MonotonicTime since) {
            coverage.subscriptionLost(master, since);
        }
    }
}
