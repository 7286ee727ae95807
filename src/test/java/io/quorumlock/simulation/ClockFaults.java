// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import io.quorumlock.testing.SeededRandom;

/** Faults of the clocks of single masters. */
final class ClockFaults {
    /** The size of single clock jumps that the service tolerates. */
    private static final long SMALL_JUMP = Scale.millis(9);

    private final Cluster cluster;
    private final SeededRandom random;
    private long smallFaultUntil;
    private boolean over;

    ClockFaults(Cluster cluster, SeededRandom random) {
        this.cluster = cluster;
        this.random = random;
    }

    /** Stops new faults and reverts lasting ones. */
    void heal() {
        over = true;
        cluster.masters.forEach(this::revertClock);
    }

    private void revertClock(Master master) {
        master.clock.run(master.usualRate());
    }

    /** Steps the wall clock. */
    boolean step(Master master) {
        if (!mayFail(master)) {
            return false;
        }
        long most = Scale.STEPPED_AT_MOST.toNanos();
        boolean small = !isReplicaSuspended() && random.onceIn(3);
        long by = small ? random.millis(11, 100) : random.millis(100, 800);
        smallFaultUntil = small ? Math.max(smallFaultUntil, now()) : smallFaultUntil;
        boolean back = master.clock.stepped() > 0 && master.clock.stepped() + by > most;
        master.clock.step(back || random.onceIn(3) && master.clock.stepped() - by > -most ? -by : by);
        master.clockFails(now());
        return true;
    }

    /** Makes the wall clock too fast or too slow for some time, or lets it jump often by a small amount. */
    boolean drift(Master master) {
        if (!mayFail(master) || isReplicaSuspended()) {
            return false;
        }
        long until = now() + random.millis(500, 3_000);
        smallFaultUntil = Math.max(smallFaultUntil, until);
        master.clockFails(until);
        double sign = random.onceIn(3) ? -1 : 1;
        if (random.onceIn(2)) {
            jump(master, (long) (sign * SMALL_JUMP), until, random.millis(20, 50));
        } else {
            master.clock.run(master.usualRate() * (1 + sign * random.around(0.05, 0.045)));
            cluster.events.at(until, () -> revertClock(master));
        }
        return true;
    }

    private void jump(Master master, long by, long until, long every) {
        if (!over && now() < until && Math.abs(master.clock.stepped() + by) < Scale.STEPPED_AT_MOST.toNanos()) {
            master.clock.step(by);
            cluster.events.after(every, () -> jump(master, by, until, every));
        }
    }

    /** Returns whether a replica was suspended recently. It would take a small step of a master's clock for a part of that. */
    private boolean isReplicaSuspended() {
        return cluster.replicas.stream().anyMatch(replica -> isRecent(replica.suspendedAt()));
    }

    /** Returns whether a suspension now could hide a small step of a master's clock. */
    boolean isSmallFaultUndetected() {
        return isRecent(smallFaultUntil);
    }

    private boolean isRecent(long time) {
        return time > 0 && now() - time < Scale.CLOCK_FAULT_IS_NOTICED.toNanos();
    }

    /**
     * Allows one clock fault at a time, only if leases are long enough for the tolerated steps, and only while all
     * replicas watch the clock. A replica that just started has no earlier reading to compare. A second fault of a
     * clock could hide the first one from a replica that has not read it yet.
     */
    private boolean mayFail(Master master) {
        return cluster.conditions.clocksFail()
                && !master.isClockWrong(now() - Scale.CLOCK_FAULT_IS_NOTICED.toNanos())
                && cluster.replicas.stream()
                        .allMatch(replica -> replica.isUp() && replica.masters().watchesClockOf(master));
    }

    private long now() {
        return cluster.events.now();
    }
}
