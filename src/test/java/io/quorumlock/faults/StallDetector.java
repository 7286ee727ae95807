// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * A thread that wakes up regularly and records when it woke up too late, because the machine or the process had
 * stopped.
 */
final class StallDetector implements Runnable {
    private static final Duration INTERVAL = Duration.ofMillis(10);
    private static final Duration STALL = Duration.ofMillis(40);

    private final String process;
    private final HistoryWriter history;
    private final BooleanSupplier stopped;

    StallDetector(String process, HistoryWriter history, BooleanSupplier stopped) {
        this.process = process;
        this.history = history;
        this.stopped = stopped;
    }

    @Override
    public void run() {
        while (!stopped.getAsBoolean()) {
            long due = System.nanoTime() + INTERVAL.toNanos();
            Pause.until(due);
            long now = System.nanoTime();
            if (now - due > STALL.toNanos()) {
                history.write(new Stall(process, due, now));
            }
        }
    }
}
