// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.waiting;

import io.quorumlock.time.MonotonicClock;
import io.quorumlock.time.MonotonicTime;
import java.time.Duration;
import java.util.BitSet;

/**
 * The nodes that announced a release since the last attempt began. Announcements of this replica's own releases are
 * ignored. The outcome of such a release is known anyway, and an announcement after the next grant would cause a
 * useless attempt.
 */
final class ReleaseHints {
    /** The time for which announcements of an own release are expected. */
    private static final Duration OWN_EXPECTED_FOR = Duration.ofMillis(100);

    private final int quorum;
    private final MonotonicClock clock;
    private final BitSet nodes = new BitSet();
    private final BitSet ownReceived = new BitSet();
    private MonotonicTime ownUntil;
    private boolean passedOn;

    ReleaseHints(int quorum, MonotonicClock clock) {
        this.quorum = quorum;
        this.clock = clock;
        this.ownUntil = clock.now();
    }

    /** Expects one announcement of an own release from each node. */
    void expectOwn() {
        ownReceived.clear();
        ownUntil = clock.now().plus(OWN_EXPECTED_FOR);
    }

    /** Expects no announcements, because nothing was released. */
    void expectNone() {
        ownUntil = clock.now();
    }

    /** Returns whether an announcement from this node belongs to the own release. */
    boolean isOwn(int node) {
        if (ownReceived.get(node) || !clock.now().isBefore(ownUntil)) {
            return false;
        }
        ownReceived.set(node);
        return true;
    }

    void add(int node) {
        nodes.set(node);
    }

    void addMajority() {
        nodes.set(0, quorum);
    }

    /** Notes that another replica handed the lock over to its next waiter. */
    void addPassedOn() {
        passedOn = true;
    }

    boolean isPassedOn() {
        return passedOn;
    }

    boolean isEmpty() {
        return nodes.isEmpty();
    }

    /** Returns whether the nodes are a majority, so that an attempt can succeed. */
    boolean isMajority() {
        return nodes.cardinality() >= quorum;
    }

    void clear() {
        nodes.clear();
        passedOn = false;
    }
}
