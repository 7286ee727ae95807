// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import io.quorumlock.testing.SeededRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A random plan of faults, determined by a seed. Each worker executes one fault at a time and waits for recovery. Two
 * workers work on masters, so fewer than a majority of the five fail at once.
 */
final class FaultPlan {
    private static final int MASTER_WORKERS = 2;
    private static final int MEMBERS = 3;
    private static final int FAULTS_A_ROUND = 4;
    private static final long FIRST_MS = 2_000;
    private static final List<FaultKind> OF_MEMBERS =
            List.of(FaultKind.KILL, FaultKind.SUSPEND, FaultKind.HALF_OPEN, FaultKind.REFUSE);
    private static final List<String> COMMANDS = List.of("*", "acquire", "join", "extend", "release");

    private final SeededRandom random;
    private final long endMs;
    private final int servers;
    private final boolean clocks;
    private final List<List<PlannedFault>> workers = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    private final long[] workerFree = {FIRST_MS, FIRST_MS, FIRST_MS + 4_000};
    private final long[] masterRecovered = new long[Setup.MASTERS + 1];
    private int number;

    private FaultPlan(long seed, Duration length, int servers, boolean clocks) {
        this.random = new SeededRandom(seed);
        this.endMs = length.toMillis();
        this.servers = servers;
        this.clocks = clocks;
    }

    /** Returns the plan of a seed for a store of three members, of which one fails at once. */
    static FaultPlan ofStore(long seed, Duration length) {
        FaultPlan plan = new FaultPlan(seed, length, MEMBERS, false);
        plan.drawMembers();
        plan.drawReplicas();
        return plan;
    }

    /** Returns the plan of a seed. */
    static FaultPlan of(long seed, Duration length, boolean clocks) {
        FaultPlan plan = new FaultPlan(seed, length, Setup.MASTERS, clocks);
        plan.drawMasters();
        plan.drawReplicas();
        return plan;
    }

    /** Removes the faults in which masters lose locks. The others stay as they are. */
    FaultPlan withoutLosses() {
        workers.forEach(faults -> faults.removeIf(fault -> fault.kind().losesLocks()));
        return this;
    }

    /** Removes the faults of replicas, and makes those of single commands of the service affect all commands. */
    FaultPlan forPeers() {
        workers.forEach(faults -> {
            faults.removeIf(fault -> fault.kind().victim == FaultKind.Victim.REPLICA);
            faults.replaceAll(PlannedFault::ofAllCommands);
        });
        return this;
    }

    List<List<PlannedFault>> workers() {
        return workers;
    }

    List<PlannedFault> all() {
        return workers.stream()
                .flatMap(List::stream)
                .sorted(Comparator.comparingLong(PlannedFault::startMs))
                .toList();
    }

    Set<FaultKind> kinds() {
        Set<FaultKind> kinds = EnumSet.noneOf(FaultKind.class);
        all().forEach(fault -> kinds.add(fault.kind()));
        return kinds;
    }

    private void drawMasters() {
        ShuffledFaults deck = new ShuffledFaults(random, masters(kind -> !kind.isExclusive()));
        ShuffledFaults alone = new ShuffledFaults(
                random, masters(kind -> kind.isExclusive() && (clocks || kind != FaultKind.STEP_CLOCK)));
        boolean added = true;
        for (int i = 1; added; i++) {
            added = add(workerFree[0] <= workerFree[1] ? 0 : 1, deck.next());
            if (added && i % FAULTS_A_ROUND == 0) {
                added = addAlone(alone.next());
            }
        }
    }

    private void drawMembers() {
        ShuffledFaults deck = new ShuffledFaults(random, OF_MEMBERS);
        boolean added = true;
        while (added) {
            added = add(0, deck.next());
        }
    }

    private static List<FaultKind> masters(Predicate<FaultKind> chosen) {
        return Stream.of(FaultKind.values())
                .filter(kind -> kind.victim == FaultKind.Victim.MASTER && chosen.test(kind))
                .toList();
    }

    private boolean addAlone(FaultKind kind) {
        workerFree[0] = Math.max(workerFree[0], workerFree[1]);
        boolean added = kind == FaultKind.STEP_CLOCK ? addClockSteps() : add(0, kind);
        workerFree[0] = Math.max(workerFree[0], workerFree[1]);
        workerFree[1] = workerFree[0];
        return added;
    }

    /**
     * Adds clock steps. A stepped clock makes its master lose locks, and then the master is in quarantine. So all
     * leases granted while other masters were down must have ended. The clocks of two masters, a minority, are stepped,
     * so that both are down for a time.
     */
    private boolean addClockSteps() {
        workerFree[0] += Setup.LONGEST_LEASE.toMillis();
        workerFree[1] = workerFree[0] + random.between(0, 2_000);
        return add(0, FaultKind.STEP_CLOCK) && add(1, FaultKind.STEP_CLOCK);
    }

    private void drawReplicas() {
        ShuffledFaults deck = new ShuffledFaults(random, List.of(FaultKind.KILL_REPLICA, FaultKind.SUSPEND_REPLICA));
        boolean added = true;
        while (added) {
            added = add(MASTER_WORKERS, deck.next());
            workerFree[MASTER_WORKERS] += random.between(9_000, 14_000);
        }
    }

    private boolean add(int worker, FaultKind kind) {
        boolean master = kind.victim == FaultKind.Victim.MASTER;
        long earliest = workerFree[worker] + random.between(200, 900);
        int target = master ? target(kind, earliest) : random.between(1, Setup.REPLICAS);
        long start = master ? Math.max(earliest, masterRecovered[target]) : earliest;
        long length = random.between(kind.shortestMs, kind.longestMs);
        PlannedFault fault = new PlannedFault(++number, kind, target, command(kind), start, length, amount(kind));
        if (fault.endMs() > endMs) {
            return false;
        }
        workers.get(worker).add(fault);
        workerFree[worker] = fault.recoveredMs();
        if (master) {
            masterRecovered[target] = fault.recoveredMs();
        }
        return true;
    }

    /** Draws a master that has recovered by that time. Some masters keep their data, and the others lose them. */
    private int target(FaultKind kind, long at) {
        return switch (kind) {
            case KILL_AND_EMPTY -> random.between(Masters.FIRST_FORGETFUL, servers);
            case KILL, EMPTIED -> recoveredBy(at, Math.min(servers, Masters.FIRST_FORGETFUL - 1));
            default -> recoveredBy(at, servers);
        };
    }

    private int recoveredBy(long at, int last) {
        int target = random.between(1, last);
        while (masterRecovered[target] > at) {
            target = target % last + 1;
        }
        return target;
    }

    private String command(FaultKind kind) {
        return switch (kind) {
            case DELAY, HOLD, DROP_REPLY, RESET -> COMMANDS.get(random.between(0, COMMANDS.size() - 1));
            default -> "*";
        };
    }

    private long amount(FaultKind kind) {
        return switch (kind) {
            case DELAY -> random.between(5, 150);
            case STEP_CLOCK -> random.between(150, 900) * (random.between(0, 1) == 0 ? 1 : -1);
            default -> 0;
        };
    }
}
