// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.masters;

import io.quorumlock.core.loop.EngineContext;
import io.quorumlock.core.loop.MonotonicClock;
import io.quorumlock.core.loop.MonotonicTime;
import io.quorumlock.core.loop.Scheduler;
import io.quorumlock.engines.masters.MasterClock.Shift;
import io.quorumlock.engines.redis.LinkSettings;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The comparison of the masters' clocks with each other (R9). If the own clock stops, because the machine is suspended or
 * paused, all masters seem to step forward. Therefore a master whose clock seems to have moved is a suspect, and all clocks
 * are read. If a majority moved forward by the same time, the own clock stopped: by the fault model they did not all
 * step. A master that moved by another time has stepped.
 */
final class ClockComparison {
    private final MonotonicClock clock;
    private final Scheduler scheduler;
    private final Set<Clock> suspects = new LinkedHashSet<>();
    /** The masters with an exact reading in this comparison. */
    private final Set<Clock> read = new LinkedHashSet<>();

    private List<? extends Clock> clocks = List.of();
    private boolean comparing;
    private MonotonicTime begun;
    private Scheduler.Timer end = () -> {};

    /** The clock of one master. */
    interface Clock {
        MasterClock bounds();

        /** Requests a reading as soon as possible. */
        void readClock();

        /**
         * Called with the decision.
         *
         * @param stepped true if the master's clock stepped, false if the own clock had stopped
         */
        void judged(boolean stepped);
    }

    ClockComparison(EngineContext engineContext) {
        this.clock = engineContext.clock();
        this.scheduler = engineContext.scheduler();
    }

    /** Sets the clocks of all masters. */
    void watch(List<? extends Clock> all) {
        clocks = all;
    }

    boolean isSuspect(Clock master) {
        return suspects.contains(master);
    }

    /** Processes the last reading of a master. Returns false if its clock seems to have moved. */
    boolean read(Clock master, MonotonicTime sent) {
        boolean fits = master.bounds().accept();
        if (!fits) {
            suspects.add(master);
        }
        if (comparing) {
            compare(master, sent);
        } else if (!fits) {
            begin();
        } else if (suspects.contains(master)) {
            settle(master, false);
        }
        return fits;
    }

    private void begin() {
        comparing = true;
        begun = clock.now();
        read.clear();
        end = scheduler.after(LinkSettings.LONGEST_SILENCE, this::judge);
        clocks.forEach(Clock::readClock);
    }

    private void compare(Clock master, MonotonicTime sent) {
        if (sent.isBefore(begun) || !master.bounds().isStartedBefore(begun)) {
            return;
        }
        if (!master.bounds().isExact()) {
            read.remove(master);
            master.readClock();
        } else if (read.add(master) && read.size() == clocks.size()) {
            judge();
        }
    }

    /** Judges the masters that were read. The others stay suspects until their next reading. */
    private void judge() {
        end.cancel();
        comparing = false;
        if (read.size() < majority()) {
            return;
        }
        ownStop().ifPresent(stop -> clocks.stream()
                .map(Clock::bounds)
                .filter(bounds -> bounds.isStartedBefore(begun))
                .forEach(bounds -> bounds.move(stop)));
        for (Clock master : read) {
            boolean stepped = !master.bounds().accept();
            if (stepped || suspects.contains(master)) {
                settle(master, stepped);
            }
        }
    }

    private void settle(Clock master, boolean stepped) {
        suspects.remove(master);
        if (stepped) {
            master.bounds().restart();
        }
        master.judged(stepped);
    }

    /** Returns for how long the own clock stopped, as a majority shows it (Marzullo's algorithm). */
    private Optional<Shift> ownStop() {
        List<Shift> moved = read.stream()
                .map(master -> master.bounds().shift())
                .filter(shift -> clocks.size() > 1 && shift.low() > MasterClock.STEP.toNanos())
                .toList();
        List<Long> stops = moved.stream()
                .map(Shift::low)
                .filter(length -> agreeing(moved, length).size() >= majority())
                .sorted()
                .toList();
        if (stops.isEmpty()) {
            return Optional.empty();
        }
        // Readings of distant masters agree with several lengths. The shortest is true: a pause hides no step of a
        // minority.
        long longest = high(moved, stops.get(0)) + MasterClock.STEP.toNanos();
        return stops.stream()
                .filter(length -> length <= longest)
                .max(Comparator.<Long>comparingInt(
                                length -> agreeing(moved, length).size())
                        .thenComparing(Comparator.reverseOrder()))
                .map(length -> new Shift(Math.min(length, high(moved, length)), Math.max(length, high(moved, length))));
    }

    private static long high(List<Shift> shifts, long length) {
        return agreeing(shifts, length).stream().mapToLong(Shift::high).min().orElseThrow();
    }

    /** Returns the shifts that may have this length, with the tolerance of a step. */
    private static List<Shift> agreeing(List<Shift> shifts, long length) {
        return shifts.stream()
                .filter(shift -> shift.low() <= length && length <= shift.high() + MasterClock.STEP.toNanos())
                .toList();
    }

    private int majority() {
        return clocks.size() / 2 + 1;
    }
}
