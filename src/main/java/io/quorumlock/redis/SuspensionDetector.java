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
 * Tells steps of the nodes' clocks from a stop of this process's own clock, as of a machine that was suspended (R9). The kernel
 * may tell of a suspension. Of a pause of a virtual machine it knows nothing: then a majority of the nodes seems to step by the
 * same time at once, and the own wall clock does not. By the model that cannot be the nodes.
 */
final class SuspensionDetector {
    /** Two nodes tell of the same pause if they differ by less. A real step that is smaller may hide in a pause. */
    private static final Duration SAME = Duration.ofMillis(50);

    private final MonotonicClock clock;
    private final Scheduler scheduler;
    private final Map<Clock, Step> suspects = new LinkedHashMap<>();
    private final Set<Clock> steady = new HashSet<>();
    private final Map<Clock, Duration> accounted = new HashMap<>();
    private List<? extends Clock> clocks = List.of();
    private Optional<Duration> pause = Optional.empty();
    private boolean open;
    private MonotonicTime opened;

    /** The clock of one node, as this process sees it. */
    interface Clock {
        /** Reads the clock as soon as possible. */
        void readClock();

        /** Hears whether the step was the node's, or only seemed to be because the own clock had stopped. */
        void judged(boolean stepped);
    }

    /**
     * A step of a node's clock as it seems.
     *
     * @param by how far it went, at least; negative if back
     * @param alone whether the own wall clock did not step with it
     */
    record Step(Duration by, boolean alone) {
        boolean isLike(Duration other) {
            return by.minus(other).abs().compareTo(SAME) < 0;
        }
    }

    SuspensionDetector(EngineContext engineContext) {
        this.clock = engineContext.clock();
        this.scheduler = engineContext.scheduler();
    }

    /** Names the clocks of all nodes. */
    void watch(List<? extends Clock> all) {
        clocks = all;
    }

    /** Judges a step, at once or soon. */
    void stepped(Clock node, Step step) {
        // A pause shows once in each clock: a second step, or one after a reading without any, is the node's own.
        boolean paused = step.alone()
                && !steady.contains(node)
                && pause.filter(step::isLike).isPresent();
        if (isSuspension(node, step) || paused) {
            if (open) {
                steady.add(node);
            }
            node.judged(false);
            return;
        }
        if (suspects.put(node, step) != null) {
            // Two steps in a row are no pause.
            settle(node, true);
            return;
        }
        steady.remove(node);
        if (!open) {
            open = true;
            opened = clock.now();
            scheduler.after(LinkSettings.LONGEST_SILENCE, this::close);
            clocks.stream().filter(other -> other != node).forEach(Clock::readClock);
        }
        judge();
    }

    /** Notes a reading, asked for at this time, that shows no step. */
    void steady(Clock node, MonotonicTime sent) {
        if (open && !sent.isBefore(opened) && !suspects.containsKey(node) && steady.add(node)) {
            judge();
        }
    }

    private boolean isSuspension(Clock node, Step step) {
        Optional<Duration> suspended = clock.suspended();
        Duration before = accounted.getOrDefault(node, Duration.ZERO);
        boolean explained = suspended
                .filter(all -> step.isLike(all.minus(before)))
                .filter(all -> all.minus(before).compareTo(SAME) > 0)
                .isPresent();
        if (explained) {
            accounted.put(node, suspended.get());
        }
        return explained;
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
            if (forward && alike.size() >= enough()) {
                pause = Optional.of(step.by());
                alike.forEach(node -> settle(node, false));
                return;
            }
            if (!forward || alike.size() + unread < enough()) {
                settle(suspect.getKey(), true);
            }
        }
    }

    private void settle(Clock node, boolean stepped) {
        suspects.remove(node);
        // It takes part in no other judgement of this time.
        steady.add(node);
        node.judged(stepped);
    }

    /** One node alone proves nothing. */
    private int enough() {
        return Math.max(2, clocks.size() / 2 + 1);
    }

    private void close() {
        open = false;
        pause = Optional.empty();
        List.copyOf(suspects.keySet()).forEach(node -> settle(node, true));
        steady.clear();
    }
}
