// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redis;

import io.quorumlock.redis.NodeClock.Shift;
import io.quorumlock.time.EngineContext;
import io.quorumlock.time.MonotonicClock;
import io.quorumlock.time.MonotonicTime;
import io.quorumlock.time.Scheduler;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The comparison of the nodes' clocks with each other (R9). A stop of this process's own clock looks like a step of all
 * nodes. The kernel reports suspensions, but not the pauses of a virtual machine. Therefore a node whose clock seems to
 * have moved is a suspect, and all clocks are read in rounds. If a majority moved forward by the same time and the own
 * wall clock did not, the own clock stopped: by the fault model they did not all step. A suspect has stepped if it does
 * not fit in two rounds in a row, because there may be another pause in the first one.
 */
final class ClockComparison {
    /** A node whose last reading is older than that of another by more may show an earlier pause than the other. */
    private static final Duration RETURNED = LinkSettings.HEARTBEAT.multipliedBy(3);

    private final MonotonicClock clock;
    private final Scheduler scheduler;
    /** Suspects, with the times at which their last readings were sent that did not fit. */
    private final Map<Clock, MonotonicTime> suspects = new LinkedHashMap<>();
    /** Suspects that did not fit in the last round. */
    private final Set<Clock> failed = new HashSet<>();
    /** The nodes that were read in this round, and whether the last reading is exact. */
    private final Map<Clock, Boolean> read = new HashMap<>();

    private List<? extends Clock> clocks = List.of();
    private MonotonicTime openedAt;
    private Scheduler.Timer closing = () -> {};
    private Optional<Duration> suspended;
    private MonotonicTime reportedAt;

    /** The clock of one node. */
    interface Clock {
        NodeClock bounds();

        /** Requests a reading as soon as possible. */
        void readClock();

        /**
         * Called with the decision.
         *
         * @param stepped true if the node's clock stepped, false if the own clock had stopped
         */
        void judged(boolean stepped);
    }

    ClockComparison(EngineContext engineContext) {
        this.clock = engineContext.clock();
        this.scheduler = engineContext.scheduler();
        askKernel();
    }

    /** Sets the clocks of all nodes. */
    void watch(List<? extends Clock> all) {
        clocks = all;
    }

    boolean isSuspect(Clock node) {
        return suspects.containsKey(node);
    }

    /** Processes the last reading of a node. Returns false if its clock moved for an unknown reason. */
    boolean read(Clock node, MonotonicTime sent) {
        boolean fits = fits(node, sent);
        if (!fits) {
            suspect(node, sent);
        }
        if (!suspects.isEmpty() && !sent.isBefore(openedAt)) {
            takePart(node);
        }
        return fits;
    }

    private boolean fits(Clock node, MonotonicTime sent) {
        NodeClock bounds = node.bounds();
        if (bounds.isNew()) {
            bounds.restart(askKernel());
        }
        boolean fits = bounds.shift().fits();
        if (!fits) {
            bounds.suspended(askKernel());
        } else if (!sent.isBefore(reportedAt)) {
            bounds.suspended(suspended);
        }
        // Not with each reading, because it takes longer than all the rest.
        if (clock.now().since(reportedAt).compareTo(LinkSettings.HEARTBEAT) > 0) {
            askKernel();
        }
        boolean explained = bounds.accept();
        if (explained && !fits) {
            node.judged(false);
        }
        return explained;
    }

    private Optional<Duration> askKernel() {
        reportedAt = clock.now();
        suspended = clock.suspended();
        return suspended;
    }

    private void suspect(Clock node, MonotonicTime sent) {
        boolean first = suspects.isEmpty();
        suspects.put(node, sent);
        if (clocks.size() < 2 || node.bounds().wentBack()) {
            settle(node, true);
            if (suspects.isEmpty()) {
                closing.cancel();
            }
        } else if (first) {
            begin();
        }
    }

    private void begin() {
        openedAt = clock.now();
        read.clear();
        closing = scheduler.after(LinkSettings.LONGEST_SILENCE, this::judge);
        clocks.forEach(Clock::readClock);
    }

    private void takePart(Clock node) {
        boolean exact = node.bounds().isExact();
        read.put(node, exact);
        if (!exact) {
            node.readClock();
        }
        if (isDecided()) {
            judge();
        }
    }

    /** Returns whether all suspects were read, and the other nodes cannot change the result. */
    private boolean isDecided() {
        Set<Clock> exact = new HashSet<>(read.keySet());
        exact.removeIf(node -> !read.get(node));
        if (!exact.containsAll(suspects.keySet())) {
            return false;
        }
        int mayHaveMoved = clocks.size() - exact.size() + suspects.size();
        return exact.size() == clocks.size()
                || mayHaveMoved < majority()
                || ownStop().isPresent();
    }

    /** Ends a round. A movement that no stop explains is a step, even if the clock stepped back since. */
    private void judge() {
        closing.cancel();
        ownStop().ifPresent(this::rebase);
        for (Clock node : List.copyOf(suspects.keySet())) {
            boolean explained = read.containsKey(node)
                    && node.bounds().isRebasedSince(suspects.get(node))
                    && node.bounds().accept();
            if (explained || !failed.add(node)) {
                settle(node, !explained);
            }
        }
        if (!suspects.isEmpty()) {
            begin();
        }
    }

    /** Returns for how long the own clock stopped, as a majority shows it (Marzullo's algorithm). */
    private Optional<Shift> ownStop() {
        List<NodeClock> moved = moved();
        List<Shift> shifts = moved.stream()
                .filter(one -> moved.stream()
                        .allMatch(other -> other.fitted().since(one.fitted()).compareTo(RETURNED) <= 0))
                .map(NodeClock::shift)
                .toList();
        List<Long> stops = shifts.stream()
                .map(Shift::low)
                .filter(low -> agreeing(shifts, low).size() >= majority())
                .sorted()
                .toList();
        if (stops.isEmpty()) {
            return Optional.empty();
        }
        // Readings of distant nodes agree with more than one stop. The shortest is true: a pause hides no step of a
        // minority.
        long most = high(shifts, stops.get(0)) + NodeClock.STEP.toNanos();
        return stops.stream()
                .filter(low -> low <= most)
                .max(Comparator.<Long>comparingInt(low -> agreeing(shifts, low).size())
                        .thenComparing(Comparator.reverseOrder()))
                .map(low -> new Shift(Math.min(low, high(shifts, low)), Math.max(low, high(shifts, low))));
    }

    private List<NodeClock> moved() {
        return read.keySet().stream()
                .map(Clock::bounds)
                .filter(bounds -> bounds.showsOwnStop(suspended))
                .toList();
    }

    private static long high(List<Shift> shifts, long low) {
        return agreeing(shifts, low).stream().mapToLong(Shift::high).min().orElseThrow();
    }

    /** Returns the shifts that begin before this one and differ from it by less than a step. */
    private static List<Shift> agreeing(List<Shift> shifts, long low) {
        return shifts.stream()
                .filter(shift -> shift.low() <= low && low <= shift.high() + NodeClock.STEP.toNanos())
                .toList();
    }

    /** Corrects also the bounds of nodes that were not read, so that they fit when they return. */
    private void rebase(Shift stop) {
        Optional<Duration> before =
                moved().stream().flatMap(bounds -> bounds.suspended().stream()).max(Comparator.naturalOrder());
        clocks.stream().filter(node -> node.bounds().isStartedBefore(openedAt)).forEach(node -> node.bounds()
                .ownClockStopped(stop, before, suspended, clock.now(), read.containsKey(node)));
    }

    private void settle(Clock node, boolean stepped) {
        suspects.remove(node);
        failed.remove(node);
        if (stepped) {
            node.bounds().restart(askKernel());
        }
        node.judged(stepped);
    }

    /** At least two, because a step of one node proves nothing. */
    private int majority() {
        return Math.max(2, clocks.size() / 2 + 1);
    }
}
