// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import io.quorumlock.simulation.Coverage.Measure;
import io.quorumlock.testing.SeededRandom;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** A source of random faults within the model: fewer than a majority of masters fail at once. */
final class RandomFaults {
    private final Cluster cluster;
    private final SeededRandom random;
    private final ClockFaults clockFaults;
    private final long[] badUntil;
    private Set<SimulatedFault> kinds = EnumSet.of(SimulatedFault.CONNECTION_BREAKS);
    private long interval;
    private boolean mayCutMajority;
    private boolean over;

    RandomFaults(Cluster cluster, SeededRandom random) {
        this.cluster = cluster;
        this.random = random;
        this.clockFaults = new ClockFaults(cluster, random.split());
        this.badUntil = new long[cluster.masters.size()];
    }

    /**
     * Draws which faults occur and how often. In some runs there are none, so that the guarantees without faults can be
     * checked.
     */
    void begin(boolean faultFree) {
        over = faultFree;
        interval = random.millis(20, 600);
        mayCutMajority = random.onceIn(4); // safety must not depend on the network
        int density = random.of(List.of(20, 60, 90));
        Set<SimulatedFault> drawn = EnumSet.noneOf(SimulatedFault.class);
        for (SimulatedFault fault : SimulatedFault.values()) {
            if (random.percent(fault == SimulatedFault.MASTER_FORGETS && cluster.isForgetful() ? 100 : density)) {
                drawn.add(fault);
            }
        }
        if (cluster.scenario == Scenario.REDLOCK_BEYOND_THE_MODEL) {
            // In such a run, these faults hit a majority.
            drawn.removeAll(SimulatedFault.OF_CLOCKS);
        }
        if (cluster.conditions.otherList()) {
            drawn.retainAll(SimulatedFault.BRIEF);
        }
        kinds = drawn.isEmpty() ? kinds : drawn;
        if (!faultFree) {
            next();
        }
    }

    /** Ends all faults. */
    void heal() {
        over = true;
        cluster.network.clear();
        clockFaults.heal();
        cluster.masters.forEach(this::restart);
        cluster.replicas.forEach(Replica::startUnlessUp);
    }

    boolean areOver() {
        return over;
    }

    private void next() {
        cluster.events.after(random.millis(0, 2) + (long) (interval * random.around(1, 1)), () -> {
            if (!over) {
                inject(random.of(List.copyOf(kinds)));
                cluster.masters.forEach(master -> {
                    if (random.onceIn(8)) {
                        master.save();
                    }
                });
                next();
            }
        });
    }

    private void inject(SimulatedFault fault) {
        Master master = random.of(cluster.masters);
        Replica replica = random.of(cluster.replicas);
        long until = cluster.events.now() + (random.onceIn(5) ? random.millis(500, 2_500) : random.millis(5, 300));
        long length = until - cluster.events.now();
        boolean injected =
                switch (fault) {
                    case REPLICA_CRASHES -> crash(replica, until);
                    case REPLICA_PAUSES -> pause(replica, until);
                    case CONNECTION_BREAKS -> breakConnection(replica, master);
                    case ANSWER_LOST -> loseAnswers();
                    case REPLICA_SUSPENDED -> suspend(replica, until);
                    case SCRIPTS_FLUSHED -> flushScripts(master);
                    case CLOCK_STEPS -> forget(fault, master, () -> clockFaults.step(master));
                    case CLOCK_DRIFTS -> forget(fault, master, () -> clockFaults.drift(master));
                    case MASTER_FORGETS -> forget(fault, master, () -> forgetAndCrash(master, length));
                    case MASTER_CRASHES -> master.keepsVotes() && mayFail(master) && crash(master, until);
                    default -> mayFail(master) && injectInto(fault, master, until);
                };
        if (injected) {
            cluster.coverage.count(fault);
            cluster.log.add(() ->
                    fault + " node-" + master.number + " replica-" + replica.number + " until " + RunLog.time(until));
        }
    }

    /**
     * Makes a master lose data, now or after other masters were unreachable. In the second case leases have the minimum
     * number of votes.
     */
    private boolean forget(SimulatedFault fault, Master master, BooleanSupplier effect) {
        if (random.onceIn(3) || mayCutMajority || othersBad(master) > 0 || !mayForget(master)) {
            return mayForget(master) && effect.getAsBoolean();
        }
        afterOthersWereAway(master, () -> {
            if (mayForget(master) && effect.getAsBoolean()) {
                cluster.coverage.count(fault);
                cluster.log.add(() -> fault + " node-" + master.number);
            }
        });
        return false;
    }

    /** Disconnects as many other masters as may fail, and then runs an action. */
    private void afterOthersWereAway(Master master, Runnable then) {
        long until = cluster.events.now() + random.millis(100, 1_200);
        int size = cluster.masters.size();
        for (int i = 1; i <= mostBad(); i++) {
            Master other = cluster.masters.get((master.number + i) % size);
            if (mayFail(other)) {
                badUntil[other.number] = until;
                cluster.replicas.forEach(replica -> cluster.network.cut(replica, other, true, true, until));
                cluster.coverage.count(SimulatedFault.CUT);
            }
        }
        cluster.events.at(until, () -> {
            if (!over) {
                then.run();
            }
        });
    }

    /**
     * Restarts a master that does not vote at once afterwards. A disk with all votes is replaced by an empty one, or by that of
     * another master, which the master replicated meanwhile.
     */
    private boolean forgetAndCrash(Master master, long length) {
        if (master.keepsVotes() && cluster.conditions.timeIsUnknown()
                || !crash(master, cluster.events.now() + length)) {
            return false;
        }
        if (master.keepsVotes()) {
            Master other = random.of(cluster.masters);
            if (master.hasTimeOf(other)) {
                master.replicate(other);
                cluster.coverage.count(Measure.COPIED);
            } else {
                master.loseAll();
            }
        }
        return true;
    }

    /** Returns whether to break the connection with the command that starts a quarantine. */
    boolean breaksQuarantine() {
        return !over && random.onceIn(3);
    }

    private boolean injectInto(SimulatedFault fault, Master master, long until) {
        badUntil[master.number] = until;
        switch (fault) {
            case MASTER_HANGS -> master.hang(until);
            case MASTER_IS_SLOW -> cluster.network.slow(master, until);
            default -> cut(fault, master, until);
        }
        return true;
    }

    private void cut(SimulatedFault fault, Master master, long until) {
        for (Replica replica : cluster.replicas) {
            if (random.percent(70)) {
                cluster.network.cut(
                        replica,
                        master,
                        fault != SimulatedFault.CUT_FROM_MASTER,
                        fault != SimulatedFault.CUT_TO_MASTER,
                        until);
            }
        }
    }

    private boolean crash(Master master, long until) {
        if (!master.isUp()) {
            return false;
        }
        master.crash();
        if (random.percent(70)) { // otherwise the host failed too, and connections are not closed
            breakPathsTo(master);
        }
        cluster.events.at(until, () -> restart(master));
        return true;
    }

    private void breakPathsTo(Master master) {
        cluster.replicas.forEach(replica -> replica.masters().breakConnectionsTo(master));
    }

    private boolean breakConnection(Replica replica, Master master) {
        replica.masters().breakConnectionsTo(master);
        return true;
    }

    private boolean loseAnswers() {
        cluster.network.loseAnswers(random.between(1, 3));
        return true;
    }

    private void restart(Master master) {
        if (!master.isUp()) {
            master.restart(cluster.events.now());
            cluster.log.add(() -> "node-" + master.number + " restarted, " + master.persistence);
        }
    }

    /** Excludes replicas that have not yet detected a clock fault. */
    private boolean crash(Replica replica, long until) {
        long noticed = Math.max(0, cluster.events.now() - Scale.CLOCK_FAULT_IS_NOTICED.toNanos());
        if (!replica.isUp() || cluster.masters.stream().anyMatch(master -> master.isClockWrong(noticed))) {
            return false;
        }
        replica.crash();
        cluster.events.at(until, replica::startUnlessUp);
        return true;
    }

    private boolean pause(Replica replica, long until) {
        replica.pause(until);
        return true;
    }

    private boolean suspend(Replica replica, long until) {
        boolean known = until - cluster.events.now() > Scale.SUSPENSION_OF_A_HOST && random.onceIn(2);
        return !clockFaults.isSmallFaultUndetected() && replica.suspend(until, known);
    }

    private boolean flushScripts(Master master) {
        master.flushScripts(cluster.events.now());
        return true;
    }

    private boolean mayFail(Master master) {
        return mayCutMajority || othersBad(master) < mostBad();
    }

    /** Only a minority may lose data, regardless of the network. This is the limit of the model. */
    private boolean mayForget(Master master) {
        long forgetful = cluster.masters.stream()
                .filter(other -> other != master && other.isForgetful(cluster.events.now()))
                .count();
        return forgetful < mostBad() && (mayCutMajority || othersBad(master) < mostBad());
    }

    private int mostBad() {
        return (cluster.masters.size() - 1) / 2;
    }

    private long othersBad(Master master) {
        return cluster.masters.stream()
                .filter(other -> other != master && isBad(other))
                .count();
    }

    private boolean isBad(Master master) {
        long now = cluster.events.now();
        return !master.isUp() || master.isForgetful(now) || badUntil[master.number] > now;
    }
}
