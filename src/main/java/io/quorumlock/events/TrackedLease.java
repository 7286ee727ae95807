package io.quorumlock.events;

import io.quorumlock.events.LockEvent.Kind;
import io.quorumlock.time.Scheduler;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/** Is what was heard of one lease: a majority counts, each thing once, and nothing after its end. */
final class TrackedLease {
    private static final Set<Kind> ENDS = EnumSet.of(Kind.RELEASED, Kind.BROKEN);

    private final int quorum;
    private final Map<Kind, AnnouncementCount> tallies = new EnumMap<>(Kind.class);
    private final Set<Kind> told = EnumSet.noneOf(Kind.class);
    private Scheduler.Timer timer;

    TrackedLease(int quorum) {
        this.quorum = quorum;
    }

    /** Says whether a node's announcement makes it true. */
    boolean confirms(int node, Kind kind) {
        boolean over = told.stream().anyMatch(ENDS::contains);
        boolean again = kind != Kind.EXTENDED && told.contains(kind);
        if (over
                || again
                || !tallies.computeIfAbsent(kind, any -> new AnnouncementCount(quorum))
                        .count(node)) {
            return false;
        }
        told.add(kind);
        return true;
    }

    /** Replaces what is to happen by itself. */
    void next(Scheduler.Timer later) {
        forget();
        timer = later;
    }

    void forget() {
        if (timer != null) {
            timer.cancel();
        }
    }
}
