// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Bounded waiting for conditions that real processes reach. */
public final class Eventually {
    private static final long PAUSE_NANOS = 5_000_000;

    private Eventually() {}

    /** Fails with the message {@code what} unless the condition becomes true within {@code most}. */
    public static void within(Duration most, Supplier<String> what, BooleanSupplier condition) {
        long end = System.nanoTime() + most.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("not within " + most + ": " + what.get());
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    public static void within(Duration most, String what, BooleanSupplier condition) {
        within(most, () -> what, condition);
    }
}
