// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.redis.SimulatedServer;
import io.quorumlock.redlock.NodeReply;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** A Redis process on its host, with its wall clock, disk and persistence. */
final class Master {
    /** The data that survive a restart. */
    enum Persistence {
        KEEPS_ALL,
        LOSES_RECENT,
        LOSES_ALL
    }

    /** The counters are shared by all resources, so their number is minimal. */
    private static final int FEW_COUNTERS = 2;

    final int number;
    final OwnClock clock;
    final SimulatedServer server;
    final Persistence persistence;
    private final boolean mastersPersist;
    private final Set<LeaseToken> granted = new HashSet<>();
    private Runnable snapshot;
    private boolean up = true;
    private boolean emptied;
    private int run;
    private long hungUntil;
    private long forgetfulUntil;
    private final double usualRate;
    private long clockWrongUntil;
    private long scriptsFlushedAt;

    Master(int number, World world, OwnClock clock, Persistence persistence) {
        this.number = number;
        this.clock = clock;
        this.persistence = persistence;
        this.usualRate = clock.rate();
        this.mastersPersist = world.conditions.persists();
        this.server = new SimulatedServer(clock, FEW_COUNTERS, new Listener(world));
        start();
        this.snapshot = server.snapshot();
    }

    private void start() {
        server.start("run-" + number + "-" + run, persistence == Persistence.KEEPS_ALL);
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
        } else if (persistence == Persistence.LOSES_RECENT) {
            snapshot.run();
        }
        if (emptied || !keepsVotes()) {
            forgets(now);
        }
        emptied = false;
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

    /** Returns whether it votes at once after a restart. */
    boolean keepsVotes() {
        return persistence == Persistence.KEEPS_ALL && mastersPersist;
    }

    /** Saves the data for a later restart. */
    void save() {
        if (up && persistence == Persistence.LOSES_RECENT) {
            snapshot = server.snapshot();
        }
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
        return now < forgetfulUntil || server.isQuarantined() || !up && (emptied || !keepsVotes());
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
        public int subscribed(ResourceName resource) {
            return world.subscribed(resource).size();
        }

        @Override
        public void released(ResourceName resource, long fence, int replicas) {
            world.announce(Master.this, resource, listener -> listener.released(number, fence, replicas));
        }

        @Override
        public void admitted(boolean stepped, boolean founded) {
            world.recordAdmission(stepped, founded);
        }
    }

    /** Returns the token that holds the lock on this master. */
    Optional<LeaseToken> holder(ResourceName resource) {
        return server.inspect(resource) instanceof NodeReply.Holding holding
                ? Optional.of(new LeaseToken(holding.holder()))
                : Optional.empty();
    }
}
