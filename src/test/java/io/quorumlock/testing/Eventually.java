// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Bounded waiting for conditions that real processes reach. */
public final class Eventually {
    /**
     * The limit of a wait for something that has no promised time, and of an answer. Longer than the pauses of a busy machine,
     * and shorter than the leases of a minute whose early end tests wait for.
     */
    public static final Duration LONGEST = Duration.ofSeconds(40);

    private static final long PAUSE_NANOS = 5_000_000;

    private Eventually() {}

    /** Fails with the message {@code what} unless the condition becomes true. */
    public static void holds(Supplier<String> what, BooleanSupplier condition) {
        within(LONGEST, what, condition);
    }

    public static void holds(String what, BooleanSupplier condition) {
        within(LONGEST, what, condition);
    }

    /** Fails with the message {@code what} unless the condition becomes true within {@code most}. The delay of a busy machine is added. */
    public static void within(Duration most, Supplier<String> what, BooleanSupplier condition) {
        long begun = System.nanoTime();
        try (MachineDelay machine = new MachineDelay()) {
            while (!condition.getAsBoolean()) {
                if (System.nanoTime() - begun > most.plus(machine.total()).toNanos()) {
                    throw new AssertionError("not within " + most + ": " + what.get());
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    public static void within(Duration most, String what, BooleanSupplier condition) {
        within(most, () -> what, condition);
    }
}
