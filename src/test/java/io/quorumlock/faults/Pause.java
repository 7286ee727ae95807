package io.quorumlock.faults;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Lets a thread of the load or of a crew rest, as holders and faults do: for a time, or until one. */
final class Pause {
    private Pause() {}

    static void of(Duration length) {
        until(System.nanoTime() + length.toNanos());
    }

    static void until(long moment) {
        for (long left = moment - System.nanoTime(); left > 0; left = moment - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
