// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.events;

import io.quorumlock.core.lock.LockEventKind;
import io.quorumlock.core.loop.Scheduler;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * The announcements of one lease. An event counts once, when a majority has announced it. No event counts after a
 * release or a forced release.
 */
final class TrackedLease {
    private static final Set<LockEventKind> ENDS = EnumSet.of(LockEventKind.RELEASED, LockEventKind.BROKEN);

    private final int quorum;
    private final Map<LockEventKind, AnnouncementCount> counts = new EnumMap<>(LockEventKind.class);
    private final Set<LockEventKind> confirmed = EnumSet.noneOf(LockEventKind.class);
    private Scheduler.Timer timer;

    TrackedLease(int quorum) {
        this.quorum = quorum;
    }

    /** Returns whether this announcement completes the majority for the event. */
    boolean confirms(int master, LockEventKind kind) {
        boolean over = confirmed.stream().anyMatch(ENDS::contains);
        boolean again = kind != LockEventKind.EXTENDED && confirmed.contains(kind);
        if (over
                || again
                || !counts.computeIfAbsent(kind, any -> new AnnouncementCount(quorum))
                        .count(master)) {
            return false;
        }
        confirmed.add(kind);
        return true;
    }

    /** Replaces the pending timer. */
    void setTimer(Scheduler.Timer later) {
        cancelTimer();
        timer = later;
    }

    void cancelTimer() {
        if (timer != null) {
            timer.cancel();
        }
    }

    /** The masters that announced one event. A master that announces it again starts a new round. */
    private static final class AnnouncementCount {
        private final int quorum;
        private final BitSet masters = new BitSet();
        private boolean confirmed;

        private AnnouncementCount(int quorum) {
            this.quorum = quorum;
        }

        /** Returns whether this master completes the majority. */
        boolean count(int master) {
            if (masters.get(master)) {
                masters.clear();
                confirmed = false;
            }
            masters.set(master);
            if (confirmed || masters.cardinality() < quorum) {
                return false;
            }
            confirmed = true;
            return true;
        }
    }
}
