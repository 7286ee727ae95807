package io.quorumlock.redis;

import io.quorumlock.time.EngineContext;
import io.quorumlock.time.MonotonicClock;
import io.quorumlock.time.MonotonicTime;
import io.quorumlock.time.Scheduler;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The detector of stops of this process's own clock, for example while the machine was suspended (R9). Such a stop
 * looks like a step of the nodes' clocks. The kernel may report a suspension. It does not know about a pause of a
 * virtual machine. In that case a majority of the nodes seems to step by the same time at once, and the own wall clock
 * does not. By the fault model these cannot be steps of the nodes.
 */
final class SuspensionDetector {
    /**
     * The steps of two nodes belong to the same pause if they differ by less. A smaller real step during a pause is not
     * detected.
     */
    private static final Duration TOLERANCE = Duration.ofMillis(50);

    /** A node that was not read for longer may show an earlier pause than the others. */
    private static final Duration RETURNED = LinkSettings.HEARTBEAT.multipliedBy(3);

    private final MonotonicClock clock;
    private final Scheduler scheduler;
    private final Map<Clock, Step> suspects = new LinkedHashMap<>();
    private final Set<Clock> steady = new HashSet<>();
    /** The stops before the last reading of each clock. They explain no later step of it. */
    private final Map<Clock, Stops> stopsBefore = new HashMap<>();

    private final Map<Clock, ReadingStart> readings = new HashMap<>();

    private List<? extends Clock> clocks = List.of();
    private Duration pauses = Duration.ZERO;
    private boolean open;
    private Scheduler.Timer closing = () -> {};
    private MonotonicTime openedAt;

    /** The clock of one node. */
    interface Clock {
        /** Requests a reading as soon as possible. */
        void readClock();

        /**
         * Called with the decision.
         *
         * @param stepped true if the node's clock stepped, false if the own clock had stopped
         */
        void judged(boolean stepped);
    }

    /**
     * An apparent step of a node's clock.
     *
     * @param by negative for a step back
     * @param spread by which the step may be larger, because the reading was late
     * @param sinceLast time since the reading before
     * @param alone whether the own wall clock did not step by the same time
     */
    record Step(Duration by, Duration spread, Duration sinceLast, boolean alone) {
        /** Returns whether the step may be equal, and differs by less than twice the tolerance in any case. */
        boolean isLike(Duration other) {
            Duration more = other.minus(by);
            Duration least =
                    spread.compareTo(TOLERANCE) < 0 ? TOLERANCE.negated() : spread.minus(TOLERANCE.multipliedBy(2));
            return more.compareTo(least) > 0 && more.compareTo(TOLERANCE.plus(spread)) < 0;
        }

        private boolean isOfReturned() {
            return sinceLast.compareTo(RETURNED) > 0;
        }
    }

    /**
     * The total time for which the own clock stood still.
     *
     * @param suspensions according to the kernel; empty if unknown
     * @param pauses of the virtual machine, inferred from the nodes' clocks
     */
    private record Stops(Optional<Duration> suspensions, Duration pauses) {
        Duration since(Stops before) {
            Duration suspended = suspensions
                    .flatMap(total -> before.suspensions.map(total::minus))
                    .orElse(Duration.ZERO);
            return suspended.plus(pauses).minus(before.pauses);
        }
    }

    /** The start of the latest heartbeat, which reads a clock. */
    private record ReadingStart(MonotonicTime at, Stops stops) {}

    SuspensionDetector(EngineContext engineContext) {
        this.clock = engineContext.clock();
        this.scheduler = engineContext.scheduler();
    }

    /** Sets the clocks of all nodes. */
    void watch(List<? extends Clock> all) {
        clocks = all;
    }

    /** Decides about a step, at once or after more readings. */
    void stepped(Clock node, Step step) {
        if (isExplained(node, step)) {
            if (open) {
                steady.add(node);
            }
            node.judged(false);
            return;
        }
        if (suspects.put(node, step) != null) {
            // Two steps in a row cannot be one pause.
            settle(node, true);
            return;
        }
        steady.remove(node);
        if (suspects.size() == 1) {
            open(node);
        }
        judge();
    }

    /** Begins a period in which all other clocks are read, to compare them with the first suspect. */
    private void open(Clock first) {
        closing.cancel();
        steady.clear();
        open = true;
        openedAt = clock.now();
        closing = scheduler.after(LinkSettings.LONGEST_SILENCE, this::close);
        clocks.stream().filter(other -> other != first).forEach(Clock::readClock);
    }

    /** Notes all stops until now. They explain no step after a reading of the node that is requested later. */
    void beforeReading(Clock node) {
        readings.put(node, new ReadingStart(clock.now(), stops()));
    }

    /**
     * Notes a reading without a step. It can hide a stop that is not longer than its delay.
     *
     * @param delay part of the round trip beyond the usual one
     */
    void steady(Clock node, MonotonicTime sent, Duration delay) {
        ReadingStart start = readings.get(node);
        boolean exact = delay.compareTo(TOLERANCE) < 0;
        Stops before = stopsBefore.get(node);
        if (before == null) {
            stopsBefore.put(node, stops());
        } else if (start != null && !sent.isBefore(start.at()) && (exact || isShown(start, before, delay))) {
            stopsBefore.put(node, start.stops());
        }
        if (exact && open && !sent.isBefore(openedAt) && !suspects.containsKey(node) && steady.add(node)) {
            judge();
        }
    }

    /** Returns whether a reading would have shown the stops before it, despite its delay. */
    private static boolean isShown(ReadingStart start, Stops before, Duration delay) {
        return start.stops().since(before).minus(delay).compareTo(TOLERANCE) > 0;
    }

    private Stops stops() {
        return new Stops(clock.suspended(), pauses);
    }

    /** Returns whether the own clock stopped for the time of the step since the last reading. */
    private boolean isExplained(Clock node, Step step) {
        Stops now = stops();
        Stops before = stopsBefore.put(node, now);
        Duration stopped = before == null ? Duration.ZERO : now.since(before);
        return step.isLike(stopped) && stopped.compareTo(TOLERANCE) > 0;
    }

    private void judge() {
        for (Map.Entry<Clock, Step> suspect : List.copyOf(suspects.entrySet())) {
            Step step = suspect.getValue();
            List<Clock> alike = suspects.entrySet().stream()
                    .filter(other ->
                            other.getValue().alone() && other.getValue().isLike(step.by()))
                    .map(Map.Entry::getKey)
                    .toList();
            long unread = clocks.stream()
                    .filter(other -> !suspects.containsKey(other) && !steady.contains(other))
                    .count();
            boolean forward = step.alone() && !step.by().isNegative();
            long read = alike.stream()
                    .filter(node -> !suspects.get(node).isOfReturned())
                    .count();
            if (forward && read >= majority()) {
                pauses = pauses.plus(step.by());
                // Only the clocks that were not read since will show the same pause later.
                suspects.keySet().forEach(node -> stopsBefore.put(node, stops()));
                steady.forEach(node -> stopsBefore.put(node, stops()));
                readings.replaceAll(
                        (node, start) -> start.at().isBefore(openedAt) ? start : new ReadingStart(start.at(), stops()));
                alike.forEach(node -> settle(node, false));
                return;
            }
            if (!forward || read + unread < majority()) {
                settle(suspect.getKey(), true);
            }
        }
    }

    private void settle(Clock node, boolean stepped) {
        suspects.remove(node);
        // The node takes part in no other decision of this period.
        steady.add(node);
        node.judged(stepped);
    }

    /** At least two, because a step of one node proves nothing. */
    private int majority() {
        return Math.max(2, clocks.size() / 2 + 1);
    }

    private void close() {
        open = false;
        List.copyOf(suspects.keySet()).forEach(node -> settle(node, true));
        steady.clear();
    }
}
