// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.engines.redis.SimulatedServer;
import io.quorumlock.engines.redlock.MasterReply;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;

/** A Redis process on its host, with its wall clock, disk and persistence. */
final class Master {
    /** The data that survive a restart. */
    enum Durability {
        KEEPS_ALL,
        LOSES_RECENT,
        LOSES_ALL
    }

    /** The counters are shared by all resources, so their number is minimal. */
    private static final int FEW_COUNTERS = 2;

    final int number;
    final HostClock clock;
    final SimulatedServer server;
    final Durability persistence;
    private final boolean mastersPersist;
    private final Set<LeaseToken> granted = new HashSet<>();
    private Runnable snapshot;
    /** The master whose data the next start has; null for its own. */
    private Master source;

    private boolean up = true;
    private boolean emptied;
    private int run;
    private long hangsUntil;
    private long forgetfulUntil;
    private final double usualRate;
    private long clockWrongUntil;
    private long scriptsFlushedAt;

    Master(int number, Cluster cluster, HostClock clock, Durability persistence) {
        this.number = number;
        this.clock = clock;
        this.persistence = persistence;
        this.usualRate = clock.rate();
        this.mastersPersist = cluster.conditions.persists();
        this.server = new SimulatedServer(clock, FEW_COUNTERS, new Listener(cluster));
        start();
        this.snapshot = server.snapshot();
    }

    private void start() {
        server.start("run-" + number + "-" + run, persistence == Durability.KEEPS_ALL);
    }

    boolean isUp() {
        return up;
    }

    /** Returns when the suspension of the process ends. */
    long hangsUntil() {
        return hangsUntil;
    }

    void hang(long until) {
        hangsUntil = Math.max(hangsUntil, until);
    }

    void crash() {
        up = false;
        hangsUntil = 0;
    }

    /** Returns the number of restarts. */
    int run() {
        return run;
    }

    void restart(long now) {
        up = true;
        run++;
        if (emptied || persistence == Durability.LOSES_ALL) {
            server.clear();
        } else if (source != null) {
            server.copy(source.server);
        } else if (persistence == Durability.LOSES_RECENT) {
            snapshot.run();
        }
        if (!willKeepVotes()) {
            forgets(now);
        }
        emptied = false;
        source = null;
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

    /** Replicates another master until the next start, when it is a master again. */
    void replicate(Master other) {
        source = other;
    }

    /** Returns whether the time of day of another master is nearly the same, so that its keys expire here when they do there. */
    boolean hasTimeOf(Master other) {
        Duration difference = clock.now().since(other.clock.now()).abs();
        return other != this && difference.compareTo(Scale.TTL_MAX.dividedBy(2)) < 0;
    }

    private boolean willKeepVotes() {
        return keepsVotes() && !emptied && source == null;
    }

    /** Returns whether it votes at once after a restart. */
    boolean keepsVotes() {
        return persistence == Durability.KEEPS_ALL && mastersPersist;
    }

    /** Saves the data for a later restart. */
    void save() {
        if (up && persistence == Durability.LOSES_RECENT) {
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
        return now < forgetfulUntil || server.isQuarantined() || !up && !willKeepVotes();
    }

    /** Returns whether the master ever granted this token. */
    boolean everGranted(LeaseToken token) {
        return granted.contains(token);
    }

    private final class Listener implements SimulatedServer.Listener {
        private final Cluster cluster;

        Listener(Cluster cluster) {
            this.cluster = cluster;
        }

        @Override
        public void voteAsked(LeaseToken token) {
            cluster.addVotesInFlight(token, -1);
        }

        @Override
        public void granted(LeaseToken token) {
            granted.add(token);
        }

        @Override
        public int subscribed(ResourceName resource) {
            return cluster.subscribed(resource).size();
        }

        @Override
        public void released(ResourceName resource, long fence, int replicas) {
            cluster.announce(Master.this, resource, listener -> {
                if (fence == 0) {
                    listener.released(number);
                } else {
                    listener.released(number, fence, replicas);
                }
            });
        }

        @Override
        public void admitted(boolean stepped, boolean founded) {
            cluster.recordAdmission(stepped, founded);
        }
    }

    /** Returns the tokens that hold any of the locks on this master. */
    Stream<LeaseToken> holders(ResourceNames resources) {
        return resources.list().stream()
                .map(server::inspect)
                .filter(MasterReply.Held.class::isInstance)
                .map(held ->
                        new LeaseToken(((MasterReply.Held) held).all().get(0).holder()));
    }
}
