// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redis;

import io.quorumlock.core.fleet.ServerFailure;
import io.quorumlock.core.loop.Durations;
import io.quorumlock.core.loop.MonotonicClock;
import io.quorumlock.core.loop.MonotonicTime;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The watch for stalls of this replica: its event loop gets no CPU, for example because of the limit of a container, or
 * the garbage collector stops it. Replies of the masters then seem to be late.
 */
public final class StallWatch {
    private static final Duration PERIOD = Duration.ofMinutes(1);
    /** So many stalls in a period are logged: a single one is usual, for example at the start. */
    private static final int LASTING = 3;

    private final MonotonicClock clock;
    private final Duration tolerated;
    private final Consumer<Duration> report;
    /** When the last stall ended; null before the first. */
    private MonotonicTime ended;

    private Duration length;
    /** When the period began; null before the first. */
    private MonotonicTime begun;

    /** The end of the stall that was counted last; null before the first. */
    private MonotonicTime counted;

    private int stalls;

    /**
     * @param timeout of a command. A delay of more than its half is a stall.
     * @param report receives the length of the last one if they go on
     */
    public StallWatch(MonotonicClock clock, Duration timeout, Consumer<Duration> report) {
        this.report = report;
        this.clock = clock;
        this.tolerated = timeout.dividedBy(2);
    }

    /** Notes that a task of the event loop runs that was due at this time. */
    public void ran(MonotonicTime due) {
        Duration late = clock.now().since(due);
        if (late.compareTo(tolerated) > 0) {
            boolean same = ended != null && due.isBefore(ended);
            length = same ? Durations.max(length, late) : late;
            ended = clock.now();
        }
    }

    /** Returns whether this replica was stalled after this time. */
    private boolean stalledSince(MonotonicTime since) {
        return ended != null && since.isBefore(ended);
    }

    /** Returns the explanation for a failure; empty unless it is a timeout, and this replica was stalled since that time. */
    public Optional<String> explain(ServerFailure failure, MonotonicTime since) {
        if (failure != ServerFailure.TIMEOUT || !stalledSince(since)) {
            return Optional.empty();
        }
        count();
        return Optional.of("this replica was stalled for " + length.toMillis() + " ms");
    }

    /** Counts a stall because of which answers did not count, and reports those that go on. */
    private void count() {
        if (ended.equals(counted)) {
            return;
        }
        counted = ended;
        if (begun == null || clock.now().since(begun).compareTo(PERIOD) > 0) {
            begun = clock.now();
            stalls = 0;
        }
        stalls++;
        if (stalls == LASTING) {
            report.accept(length);
        }
    }
}
