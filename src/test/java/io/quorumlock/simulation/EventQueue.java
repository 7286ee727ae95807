// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import java.util.PriorityQueue;
import java.util.Queue;

/** The events of a run, in order of their times. Events at the same time run in order of entry. */
final class EventQueue {
    private final Queue<Event> events = new PriorityQueue<>();
    private long count;
    private int cancelled;
    private long now;

    private record Event(long time, long number, Runnable action) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            return time == other.time ? Long.compare(number, other.number) : Long.compare(time, other.time);
        }
    }

    /** Returns the true time in nanoseconds since the start of the run. */
    long now() {
        return now;
    }

    /** Adds an event. An event in the past runs next. */
    void at(long time, Runnable action) {
        events.add(new Event(Math.max(time, now), count++, action));
    }

    void after(long nanos, Runnable action) {
        at(now + nanos, action);
    }

    /** Runs all events that are due until this time. */
    void runUntil(long end) {
        while (!events.isEmpty() && events.peek().time <= end) {
            Event next = events.remove();
            now = next.time;
            next.action.run();
        }
        now = end;
    }

    /** Counts the pending events, without cancelled ones. */
    int pending() {
        return events.size() - cancelled;
    }

    /** Adds to the number of pending events that are cancelled. */
    void cancelled(int more) {
        cancelled += more;
    }
}
