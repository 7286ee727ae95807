// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import io.quorumlock.testing.SeededRandom;

/** The current state of the network: delays, partitions in one or both directions, and broken connections. */
final class Network {
    private final EventQueue events;
    private final SeededRandom random;
    private final long[][] cutTo;
    private final long[][] cutFrom;
    private final long[] slowUntil;
    private final int longTail;
    /** A delay in ms in either direction that does not exceed the node timeout. */
    private static final int SLOW_IN_TIME = 20;

    private boolean faultFree;
    private int answersToLose;

    /** @param longTail one of this number of messages is late without any fault; 0 for none */
    Network(EventQueue events, SeededRandom random, int replicas, int masters, int longTail, boolean faultFree) {
        this.events = events;
        this.random = random;
        this.cutTo = new long[replicas][masters];
        this.cutFrom = new long[replicas][masters];
        this.slowUntil = new long[masters];
        this.longTail = longTail;
        this.faultFree = faultFree;
    }

    void cut(Replica replica, Master master, boolean to, boolean from, long until) {
        if (to) {
            cutTo[replica.number][master.number] = until;
        }
        if (from) {
            cutFrom[replica.number][master.number] = until;
        }
    }

    void slow(Master master, long until) {
        slowUntil[master.number] = until;
    }

    /** Breaks connections right after a command took effect, so that its reply is lost. */
    void loseAnswers(int many) {
        answersToLose += many;
    }

    /** Ends all network faults. */
    void clear() {
        faultFree = true;
        answersToLose = 0;
        for (int i = 0; i < cutTo.length; i++) {
            cutTo[i] = new long[slowUntil.length];
            cutFrom[i] = new long[slowUntil.length];
        }
        java.util.Arrays.fill(slowUntil, 0);
    }

    long cutUntil(Replica replica, Master master, boolean to) {
        return (to ? cutTo : cutFrom)[replica.number][master.number];
    }

    /** Returns whether replies of the master may take longer than the timeout. */
    boolean isSlow(Master master) {
        return slowUntil[master.number] > events.now();
    }

    boolean reaches(Replica replica, Master master) {
        long now = events.now();
        return master.isUp()
                && master.hangsUntil() <= now
                && cutUntil(replica, master, true) <= now
                && cutUntil(replica, master, false) <= now;
    }

    long delay(Master master) {
        if (isSlow(master)) {
            return random.millis(2, 120);
        }
        if (longTail > 0 && random.onceIn(longTail)) {
            return random.millis(1, faultFree ? SLOW_IN_TIME : 60);
        }
        return 50_000 + random.millis(0, 1);
    }

    boolean breaksAfterEffect() {
        if (answersToLose == 0) {
            return false;
        }
        answersToLose--;
        return true;
    }

    int survivors(int inFlight) {
        return inFlight == 0 ? 0 : random.between(0, inFlight);
    }
}
