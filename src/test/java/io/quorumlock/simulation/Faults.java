// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import io.quorumlock.testing.SeededRandom;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** A source of random faults within the model: fewer than a majority of nodes fail at once. */
final class Faults {
    private final World world;
    private final SeededRandom random;
    private final MasterFaults masterFaults;
    private final long[] badUntil;
    private Set<Fault> kinds = EnumSet.of(Fault.CONNECTION_BREAKS);
    private long interval;
    private boolean storm;
    private boolean over;

    Faults(World world, SeededRandom random) {
        this.world = world;
        this.random = random;
        this.masterFaults = new MasterFaults(world, random.split());
        this.badUntil = new long[world.masters.size()];
    }

    /**
     * Draws which faults occur and how often. In a calm world there are none, so that fault-free guarantees can be
     * checked.
     */
    void begin(boolean calm) {
        over = calm;
        interval = random.millis(20, 600);
        storm = random.onceIn(4); // safety must not depend on the network
        int density = random.of(List.of(20, 60, 90));
        Set<Fault> drawn = EnumSet.noneOf(Fault.class);
        for (Fault fault : Fault.values()) {
            if (random.percent(fault == Fault.MASTER_FORGETS && world.isForgetful() ? 100 : density)) {
                drawn.add(fault);
            }
        }
        if (world.beyondTheModel) {
            // In such a world, these faults are disasters of a majority.
            drawn.removeAll(Fault.OF_CLOCKS);
        }
        if (world.conditions.otherList()) {
            drawn.retainAll(Fault.BRIEF);
        }
        kinds = drawn.isEmpty() ? kinds : drawn;
        if (!calm) {
            next();
        }
    }

    /** Ends all faults. */
    void heal() {
        over = true;
        world.weather.clear();
        masterFaults.heal();
        world.masters.forEach(this::restart);
        world.replicas.forEach(this::restart);
    }

    boolean areOver() {
        return over;
    }

    private void next() {
        world.agenda.after(random.millis(0, 2) + (long) (interval * random.around(1, 1)), () -> {
            if (!over) {
                inject(random.of(List.copyOf(kinds)));
                world.masters.forEach(master -> {
                    if (random.onceIn(8)) {
                        master.save();
                    }
                });
                next();
            }
        });
    }

    private void inject(Fault fault) {
        Master master = random.of(world.masters);
        Replica replica = random.of(world.replicas);
        long until = world.agenda.now() + (random.onceIn(5) ? random.millis(500, 2_500) : random.millis(5, 300));
        long length = until - world.agenda.now();
        boolean injected =
                switch (fault) {
                    case REPLICA_CRASHES -> crash(replica, until);
                    case REPLICA_PAUSES -> pause(replica, until);
                    case CONNECTION_BREAKS -> breakConnection(replica, master);
                    case ANSWER_LOST -> loseAnswers();
                    case REPLICA_SUSPENDED -> suspend(replica, until);
                    case SCRIPTS_FLUSHED -> flushScripts(master);
                    case CLOCK_STEPS -> forget(fault, master, () -> masterFaults.step(master));
                    case CLOCK_CREEPS -> forget(fault, master, () -> masterFaults.creep(master));
                    case MASTER_FORGETS -> forget(fault, master, () -> forgetAndCrash(master, length));
                    case MASTER_CRASHES -> master.keepsVotes() && mayFail(master) && crash(master, until);
                    default -> mayFail(master) && disturb(fault, master, until);
                };
        if (injected) {
            world.coverage.count(fault);
            world.story.log(() ->
                    fault + " node-" + master.number + " replica-" + replica.number + " until " + Story.time(until));
        }
    }

    /**
     * Makes a master lose data, now or after other masters were unreachable. In the second case leases have the minimum
     * number of votes.
     */
    private boolean forget(Fault fault, Master master, BooleanSupplier effect) {
        if (random.onceIn(3) || storm || othersBad(master) > 0 || !mayForget(master)) {
            return mayForget(master) && effect.getAsBoolean();
        }
        afterOthersWereAway(master, () -> {
            if (mayForget(master) && effect.getAsBoolean()) {
                world.coverage.count(fault);
                world.story.log(() -> fault + " node-" + master.number);
            }
        });
        return false;
    }

    /** Disconnects as many other masters as may fail, and then runs an action. */
    private void afterOthersWereAway(Master master, Runnable then) {
        long until = world.agenda.now() + random.millis(100, 1_200);
        int size = world.masters.size();
        for (int i = 1; i <= mostBad(); i++) {
            Master other = world.masters.get((master.number + i) % size);
            if (mayFail(other)) {
                badUntil[other.number] = until;
                world.replicas.forEach(replica -> world.weather.cut(replica, other, true, true, until));
                world.coverage.count(Fault.CUT);
            }
        }
        world.agenda.at(until, () -> {
            if (!over) {
                then.run();
            }
        });
    }

    /** Restarts a master that does not vote at once afterwards. A disk with all votes is replaced by an empty one. */
    private boolean forgetAndCrash(Master master, long length) {
        if (master.keepsVotes() && world.conditions.timeIsUnknown() || !crash(master, world.agenda.now() + length)) {
            return false;
        }
        if (master.keepsVotes()) {
            master.loseAll();
        }
        return true;
    }

    /** Returns whether to break the connection on which a master is told to start its quarantine. */
    boolean breaksQuarantine() {
        return !over && random.onceIn(3);
    }

    private boolean disturb(Fault fault, Master master, long until) {
        badUntil[master.number] = until;
        switch (fault) {
            case MASTER_HANGS -> master.hang(until);
            case MASTER_IS_SLOW -> world.weather.slow(master, until);
            default -> cut(fault, master, until);
        }
        return true;
    }

    private void cut(Fault fault, Master master, long until) {
        for (Replica replica : world.replicas) {
            if (random.percent(70)) {
                world.weather.cut(replica, master, fault != Fault.CUT_FROM_MASTER, fault != Fault.CUT_TO_MASTER, until);
            }
        }
    }

    private boolean crash(Master master, long until) {
        if (!master.isUp()) {
            return false;
        }
        master.crash();
        if (random.percent(70)) { // otherwise the host failed too, and connections are not closed
            wiresTo(master);
        }
        world.agenda.at(until, () -> restart(master));
        return true;
    }

    private void wiresTo(Master master) {
        world.replicas.forEach(replica ->
                replica.wires().stream().filter(wire -> wire.leadsTo(master)).forEach(Wire::breakConnection));
    }

    private boolean breakConnection(Replica replica, Master master) {
        replica.wires().stream().filter(wire -> wire.leadsTo(master)).forEach(Wire::breakConnection);
        return true;
    }

    private boolean loseAnswers() {
        world.weather.loseAnswers(random.between(1, 3));
        return true;
    }

    private void restart(Master master) {
        if (!master.isUp()) {
            master.restart(world.agenda.now());
            world.story.log(() -> "node-" + master.number + " restarted, " + master.persistence);
        }
    }

    /** Excludes replicas that have not yet detected a clock fault. */
    private boolean crash(Replica replica, long until) {
        long noticed = Math.max(0, world.agenda.now() - Scale.CLOCK_FAULT_IS_NOTICED.toNanos());
        if (!replica.isUp() || world.masters.stream().anyMatch(master -> master.isClockWrong(noticed))) {
            return false;
        }
        replica.crash();
        world.agenda.at(until, () -> restart(replica));
        return true;
    }

    private void restart(Replica replica) {
        if (!replica.isUp()) {
            replica.startWhenHostRuns();
        }
    }

    private boolean pause(Replica replica, long until) {
        replica.pause(until);
        return true;
    }

    private boolean suspend(Replica replica, long until) {
        boolean known = until - world.agenda.now() > Scale.SUSPENSION_OF_A_HOST && random.onceIn(2);
        return !masterFaults.isSmallFaultUndetected() && replica.suspend(until, known);
    }

    private boolean flushScripts(Master master) {
        master.flushScripts(world.agenda.now());
        return true;
    }

    private boolean mayFail(Master master) {
        return storm || othersBad(master) < mostBad();
    }

    /** Only a minority may lose data, regardless of the network. This is the limit of the model. */
    private boolean mayForget(Master master) {
        long forgetful = world.masters.stream()
                .filter(other -> other != master && other.isForgetful(world.agenda.now()))
                .count();
        return forgetful < mostBad() && (storm || othersBad(master) < mostBad());
    }

    private int mostBad() {
        return (world.masters.size() - 1) / 2;
    }

    private long othersBad(Master master) {
        return world.masters.stream()
                .filter(other -> other != master && isBad(other))
                .count();
    }

    private boolean isBad(Master master) {
        long now = world.agenda.now();
        return !master.isUp() || master.isForgetful(now) || badUntil[master.number] > now;
    }
}
