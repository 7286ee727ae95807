package io.quorumlock.waiting;

import io.quorumlock.time.MonotonicClock;
import io.quorumlock.time.MonotonicTime;
import java.time.Duration;
import java.util.BitSet;

/**
 * Recognizes the announcements of a release that this replica made itself. Its answer told everything already, and an
 * announcement that arrives after the next grant would cause an attempt in vain.
 */
final class OwnAnnouncements {
    /** After that a missing announcement counts as lost, and the next one from its node as that of another release. */
    private static final Duration EXPECTED_FOR = Duration.ofMillis(100);

    private final MonotonicClock clock;
    private final BitSet heard = new BitSet();
    private MonotonicTime until;

    OwnAnnouncements(MonotonicClock clock) {
        this.clock = clock;
        this.until = clock.now();
    }

    /** Expects one announcement from each node. */
    void expect() {
        heard.clear();
        until = clock.now().plus(EXPECTED_FOR);
    }

    /** Expects none, because nothing was released. */
    void forget() {
        until = clock.now();
    }

    /** Returns whether an announcement from this node is that of the own release. */
    boolean take(int node) {
        if (heard.get(node) || !clock.now().isBefore(until)) {
            return false;
        }
        heard.set(node);
        return true;
    }
}
