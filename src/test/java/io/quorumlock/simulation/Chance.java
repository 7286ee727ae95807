package io.quorumlock.simulation;

import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** Draws what a seed decides. */
final class Chance {
    private final SplittableRandom random;

    Chance(long seed) {
        this(new SplittableRandom(seed));
    }

    private Chance(SplittableRandom random) {
        this.random = random;
    }

    /** Makes an independent source, so that what one part of the world draws does not change what another does. */
    Chance split() {
        return new Chance(random.split());
    }

    RandomGenerator generator() {
        return random.split();
    }

    boolean in(int many) {
        return random.nextInt(many) == 0;
    }

    boolean percent(int percent) {
        return random.nextInt(100) < percent;
    }

    /** Draws from both bounds and what is between. */
    int between(int least, int most) {
        return random.nextInt(least, most + 1);
    }

    /** Draws a time in milliseconds, in nanoseconds. */
    long millis(long least, long most) {
        return random.nextLong(Scale.millis(least), Scale.millis(most) + 1);
    }

    double around(double center, double error) {
        return center + (2 * random.nextDouble() - 1) * error;
    }

    <T> T of(List<T> items) {
        return items.get(random.nextInt(items.size()));
    }
}
