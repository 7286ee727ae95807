// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import io.quorumlock.core.loop.EngineContext;
import io.quorumlock.core.loop.MonotonicClock;
import io.quorumlock.core.loop.MonotonicTime;
import io.quorumlock.core.loop.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.Random;
import java.util.TreeSet;

/** A clock and scheduler controlled by a test. Due tasks run in order, on the thread of the test. */
public final class VirtualTime implements MonotonicClock, Scheduler {
    private static final long EPOCH = Instant.parse("2026-01-01T00:00:00Z").toEpochMilli();

    private final TreeSet<Task> tasks =
            new TreeSet<>(Comparator.comparingLong(Task::at).thenComparingLong(Task::number));

    private long nanos;
    private long count;

    private record Task(long at, long number, Runnable action) {}

    /** Returns a context with this time and a seeded random. Its event loop is the thread of the test. */
    public EngineContext engineContext(long seed) {
        return new EngineContext(this, wallClock(), this, task -> after(Duration.ZERO, task), new Random(seed));
    }

    /** Returns a correct wall clock. */
    public InstantSource wallClock() {
        return () -> Instant.ofEpochMilli(EPOCH + nanos / 1_000_000);
    }

    @Override
    public MonotonicTime now() {
        return new MonotonicTime(nanos);
    }

    @Override
    public Timer after(Duration delay, Runnable action) {
        Task task = new Task(nanos + delay.toNanos(), count++, action);
        tasks.add(task);
        return () -> tasks.remove(task);
    }

    /** Advances time and runs all tasks that become due. */
    public void pass(Duration duration) {
        long end = nanos + duration.toNanos();
        while (!tasks.isEmpty() && tasks.first().at() <= end) {
            Task task = tasks.pollFirst();
            nanos = Math.max(nanos, task.at());
            task.action().run();
        }
        nanos = end;
    }

    /** Advances time as if the event loop got no CPU: tasks that become due run late, when time passes again. */
    public void stall(Duration duration) {
        nanos += duration.toNanos();
    }

    /** Counts the scheduled tasks. */
    public int pending() {
        return tasks.size();
    }
}
