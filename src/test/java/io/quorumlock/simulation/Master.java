// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.redis.SimulatedServer;
import io.quorumlock.redlock.DeleteCondition;
import io.quorumlock.redlock.NodeReply;
import io.quorumlock.testing.LockStore;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;

/** A Redis process on its host, with its wall clock, disk and persistence. */
final class Master {
    /** The data that survive a restart. */
    enum Persistence {
        KEEPS_ALL(true, "always"),
        LOSES_RECENT(true, "everysec"),
        LOSES_ALL(false, "everysec");

        private final boolean appends;
        private final String fsync;

        Persistence(boolean appends, String fsync) {
            this.appends = appends;
            this.fsync = fsync;
        }
    }

    /** The counters are shared by all resources, so their number is minimal. */
    private static final int FEW_COUNTERS = 2;

    final int number;
    final OwnClock clock;
    final LockStore store;
    final SimulatedServer server;
    final Persistence persistence;
    private final Set<LeaseToken> granted = new HashSet<>();
    private Runnable snapshot;
    private boolean up = true;
    private boolean emptied;
    private int run;
    private long hungUntil;
    private long forgetfulUntil;
    private final double usualRate;
    private long clockWrongUntil;
    private final Deque<Copy> copies = new ArrayDeque<>();
    /**
     * The data after the next restart, if older: from the time when persistence was switched off, or restored from a
     * copy.
     */
    private Runnable olderData;

    private boolean older;
    private long scriptsFlushedAt;
    private boolean switched;
    private long switchedAt;

    /** A copy of the data folder. */
    private record Copy(long made, Runnable restore) {}

    Master(int number, World world, OwnClock clock, Persistence persistence) {
        this.number = number;
        this.clock = clock;
        this.persistence = persistence;
        this.usualRate = clock.rate();
        this.store = world.tampering.store(clock, FEW_COUNTERS);
        this.server = new SimulatedServer(clock, store, world.tampering.guard(clock), new Listener(world));
        start();
        this.snapshot = server.snapshot();
    }

    private void start() {
        server.start("run-" + number + "-" + run, persistence.appends, persistence.fsync);
    }

    boolean isUp() {
        return up;
    }

    /** Returns when the suspension of the process ends. */
    long hungUntil() {
        return hungUntil;
    }

    void hang(long until) {
        hungUntil = Math.max(hungUntil, until);
    }

    void crash() {
        up = false;
        hungUntil = 0;
    }

    /** Returns the number of restarts. */
    int run() {
        return run;
    }

    void restart(long now) {
        up = true;
        run++;
        if (emptied || persistence == Persistence.LOSES_ALL) {
            server.clear();
        } else if (olderData != null) {
            olderData.run();
        } else if (persistence == Persistence.LOSES_RECENT) {
            snapshot.run();
        }
        older = olderData != null && !emptied;
        if (emptied || olderData != null || persistence != Persistence.KEEPS_ALL) {
            forgets(now);
        }
        emptied = false;
        switchBack();
        start();
    }

    /** Records that present leases may be lost. */
    void forgets(long now) {
        forgetfulUntil = now + Scale.QUARANTINE.toNanos();
    }

    void flushScripts(long now) {
        scriptsFlushedAt = now;
        server.flushScripts();
    }

    /** Returns when its scripts were last flushed; 0 if never. */
    long scriptsFlushedAt() {
        return scriptsFlushedAt;
    }

    /** Loses the disk. The next start is empty, regardless of persistence. */
    void loseAll() {
        emptied = true;
        server.clear();
        snapshot = server.snapshot();
    }

    /** Deletes only one lock. */
    void evict(ResourceName resource) {
        if (store.inspect(resource) instanceof NodeReply.Holding holding) {
            store.release(DeleteCondition.ofLease(resource, new LeaseToken(holding.holder())));
        }
    }

    /** Saves the data for a later restart. */
    void save(long now) {
        if (up && persistence == Persistence.LOSES_RECENT) {
            snapshot = server.snapshot();
        }
        if (up && switched && server.appends()) {
            olderData = server.snapshot();
            switchedAt = now;
        }
        if (up && (copies.isEmpty() || now - copies.peekLast().made() > Scale.TIME_TO_NOTICE / 3)) {
            copies.addLast(new Copy(now, server.snapshot()));
        }
    }

    /** Replaces the data by those of this time or before for the next restart. Returns whether there is a copy. */
    boolean restoreOlderData(long then) {
        Runnable found = null;
        while (!copies.isEmpty() && copies.peekFirst().made() <= then) {
            found = copies.pollFirst().restore();
        }
        copies.clear();
        olderData = found;
        return found != null;
    }

    /** Switches persistence of the running process off, completely or partly. */
    void switchOff(long now, boolean wholly) {
        switched = true;
        switchedAt = now;
        olderData = server.snapshot();
        server.configure(!wholly, "everysec");
    }

    /** Restores the settings of the start. */
    void switchBack() {
        switched = false;
        olderData = null;
        server.configure(persistence.appends, persistence.fsync);
    }

    /**
     * Returns whether it lost data, or is about to, and only its age shows that. Must be called more often than quarantines
     * end.
     */
    boolean isOlderThanDetected() {
        older &= !server.isQuarantined();
        return older || !up && olderData != null;
    }

    boolean isSwitched() {
        return switched;
    }

    /** Returns whether a crash now would lose data undetectably. */
    boolean isFreshlySwitched(long now) {
        return switched && now - switchedAt < Scale.TIME_TO_NOTICE;
    }

    double usualRate() {
        return usualRate;
    }

    /** Records that the clock is wrong until this time. */
    void clockFails(long until) {
        clockWrongUntil = until;
        forgets(until);
    }

    boolean isClockWrong(long now) {
        return now < clockWrongUntil;
    }

    /** Returns whether earlier leases may be lost now or after the restart. */
    boolean isForgetful(long now) {
        return now < forgetfulUntil
                || switched
                || server.isQuarantined()
                || !up && persistence != Persistence.KEEPS_ALL;
    }

    /** Returns whether the node ever granted this token. */
    boolean everGranted(LeaseToken token) {
        return granted.contains(token);
    }

    private final class Listener implements SimulatedServer.Listener {
        private final World world;

        Listener(World world) {
            this.world = world;
        }

        @Override
        public void voteAsked(LeaseToken token) {
            world.addVotesInFlight(token, -1);
        }

        @Override
        public void granted(LeaseToken token) {
            granted.add(token);
        }

        @Override
        public int released(ResourceName resource, boolean passedOn) {
            return world.announce(Master.this, resource, passedOn);
        }

        @Override
        public void admitted(String occasion) {
            world.recordAdmission(occasion);
        }
    }
}
