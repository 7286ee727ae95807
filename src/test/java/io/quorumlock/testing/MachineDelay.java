// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * A measure of how busy the machine is: the total delay of a thread that wakes up every few milliseconds. Tests add it
 * to time limits, so that limits are strict on an idle machine and hold on a busy one.
 */
public final class MachineDelay implements AutoCloseable {
    private static final Duration TICK = Duration.ofMillis(5);

    private final Thread thread = new Thread(this::run, "machine-delay");
    private volatile long nanos;
    private volatile boolean closed;

    public MachineDelay() {
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        while (!closed) {
            long due = System.nanoTime() + TICK.toNanos();
            LockSupport.parkNanos(TICK.toNanos());
            nanos += Math.max(0, System.nanoTime() - due);
        }
    }

    /** Returns the sum of all delays so far. */
    public Duration total() {
        return Duration.ofNanos(nanos);
    }

    @Override
    public void close() {
        closed = true;
    }
}
