package io.quorumlock.faults;

import java.util.SplittableRandom;

/** Draws what a seed decides. */
final class FaultChance {
    private final SplittableRandom random;

    FaultChance(long seed) {
        this(new SplittableRandom(seed));
    }

    private FaultChance(SplittableRandom random) {
        this.random = random;
    }

    /** Makes an independent source. */
    FaultChance split() {
        return new FaultChance(random.split());
    }

    boolean percent(int percent) {
        return random.nextInt(100) < percent;
    }

    /** Draws from both bounds and what is between. */
    int between(long least, long most) {
        return (int) random.nextLong(least, most + 1);
    }
}
