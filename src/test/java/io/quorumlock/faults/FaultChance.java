// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import java.util.SplittableRandom;

/** The random choices of a seed. */
final class FaultChance {
    private final SplittableRandom random;

    FaultChance(long seed) {
        this(new SplittableRandom(seed));
    }

    private FaultChance(SplittableRandom random) {
        this.random = random;
    }

    /** Returns an independent source. */
    FaultChance split() {
        return new FaultChance(random.split());
    }

    boolean percent(int percent) {
        return random.nextInt(100) < percent;
    }

    /** Draws a number from both bounds and the numbers between them. */
    int between(long least, long most) {
        return (int) random.nextLong(least, most + 1);
    }
}
