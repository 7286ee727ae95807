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

/** One Redis process and its host: its wall clock, its disk, and what it keeps over a restart. */
final class Master {
    /** What a restart leaves of the data. */
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

    /** Shared by all resources, as few as can be. */
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
    private boolean clockFailed;
    private final Deque<Copy> copies = new ArrayDeque<>();
    /** What it comes back with: the data as they were when persistence was switched off, or restored from a copy. */
    private Runnable olderData;

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

    /** Returns until when the process is stopped. */
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

    /** Returns the number of the current life of the process. */
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
        if (emptied || olderData != null || persistence != Persistence.KEEPS_ALL) {
            forgets(now);
        }
        emptied = false;
        switchBack();
        start();
    }

    /** Notes that leases of now may be forgotten. */
    void forgets(long now) {
        forgetfulUntil = now + Scale.QUARANTINE.toNanos();
    }

    /** Loses its disk: it will come back empty, whatever it keeps. */
    void loseAll() {
        emptied = true;
        server.clear();
        snapshot = server.snapshot();
    }

    /** Loses a lock and nothing else. */
    void evict(ResourceName resource) {
        if (store.inspect(resource) instanceof NodeReply.Holding holding) {
            store.release(DeleteCondition.ofLease(resource, new LeaseToken(holding.holder())));
        }
    }

    /** Keeps what it may come back with. */
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

    /** Makes it come back with its data as they were then or before; returns whether there is a copy. */
    boolean restoreOlderData(long then) {
        Runnable found = null;
        while (!copies.isEmpty() && copies.peekFirst().made() <= then) {
            found = copies.pollFirst().restore();
        }
        copies.clear();
        olderData = found;
        return found != null;
    }

    /** Changes the settings of the running process: it keeps nothing from now on, or not all. */
    void switchOff(long now, boolean wholly) {
        switched = true;
        switchedAt = now;
        olderData = server.snapshot();
        server.configure(!wholly, "everysec");
    }

    /** Changes the settings back to what they were at its start. */
    void switchBack() {
        switched = false;
        olderData = null;
        server.configure(persistence.appends, persistence.fsync);
    }

    boolean isSwitched() {
        return switched;
    }

    /** Returns whether a crash now would lose what nobody could notice. */
    boolean isFreshlySwitched(long now) {
        return switched && now - switchedAt < Scale.TIME_TO_NOTICE;
    }

    double usualRate() {
        return usualRate;
    }

    /** Notes that its clock is wrong until then. */
    void clockFails(long until) {
        clockFailed = true;
        clockWrongUntil = until;
        forgets(until);
    }

    boolean isClockWrong(long now) {
        return now < clockWrongUntil;
    }

    /** Returns whether leases of before may be missing, or will be once it is back. */
    boolean isForgetful(long now) {
        return now < forgetfulUntil
                || switched
                || server.isQuarantined()
                || !up && persistence != Persistence.KEEPS_ALL;
    }

    /** Returns whether its clock was always right. */
    boolean keptTime() {
        return !clockFailed;
    }

    /** Returns whether the token ever won this node's vote. */
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
            world.underWay(token, -1);
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
            world.sawAdmission(Master.this, occasion);
        }
    }
}
