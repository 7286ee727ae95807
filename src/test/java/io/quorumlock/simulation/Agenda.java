// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import java.util.Arrays;

/**
 * The time of the simulated world: a heap of events, executed in order of their moments. Events at the same moment run
 * in order of entry.
 */
final class Agenda {
    private static final int FIRST_SIZE = 256;

    private long[] moments = new long[FIRST_SIZE];
    private long[] numbers = new long[FIRST_SIZE];
    private Runnable[] events = new Runnable[FIRST_SIZE];
    private int size;
    private long count;
    private int cancelled;
    private long now;

    /** Returns the true time in nanoseconds since the world began. */
    long now() {
        return now;
    }

    /** Adds an event. An event in the past runs next. */
    void at(long moment, Runnable event) {
        if (size == moments.length) {
            grow();
        }
        long due = Math.max(moment, now);
        long number = count++;
        int i = size++;
        while (i > 0 && due < moments[(i - 1) / 2]) {
            move((i - 1) / 2, i);
            i = (i - 1) / 2;
        }
        put(i, due, number, event);
    }

    void after(long nanos, Runnable event) {
        at(now + nanos, event);
    }

    /** Runs all events that are due until this time. */
    void runUntil(long end) {
        while (size > 0 && moments[0] <= end) {
            now = moments[0];
            Runnable next = events[0];
            removeFirst();
            next.run();
        }
        now = end;
    }

    /** Counts the pending events, without cancelled ones. */
    int pending() {
        return size - cancelled;
    }

    /** Adds to the number of pending events that are cancelled. */
    void cancelled(int more) {
        cancelled += more;
    }

    /** Counts all events ever added. */
    long entered() {
        return count;
    }

    private void removeFirst() {
        size--;
        long moment = moments[size];
        long number = numbers[size];
        Runnable event = events[size];
        events[size] = null;
        int i = 0;
        for (int child = 1; child < size; child = 2 * i + 1) {
            if (child + 1 < size && isBefore(child + 1, moments[child], numbers[child])) {
                child++;
            }
            if (!isBefore(child, moment, number)) {
                break;
            }
            move(child, i);
            i = child;
        }
        if (size > 0) {
            put(i, moment, number, event);
        }
    }

    private boolean isBefore(int i, long moment, long number) {
        return moments[i] < moment || moments[i] == moment && numbers[i] < number;
    }

    private void move(int from, int to) {
        put(to, moments[from], numbers[from], events[from]);
    }

    private void put(int i, long moment, long number, Runnable event) {
        moments[i] = moment;
        numbers[i] = number;
        events[i] = event;
    }

    private void grow() {
        moments = Arrays.copyOf(moments, 2 * size);
        numbers = Arrays.copyOf(numbers, 2 * size);
        events = Arrays.copyOf(events, 2 * size);
    }
}
