// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Pauses of the threads of clients and fault injectors, for a duration or until a time. */
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
