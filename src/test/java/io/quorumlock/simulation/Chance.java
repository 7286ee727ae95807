// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** The random choices of a seed. */
final class Chance {
    private final SplittableRandom random;

    Chance(long seed) {
        this(new SplittableRandom(seed));
    }

    private Chance(SplittableRandom random) {
        this.random = random;
    }

    /** Returns an independent source, so that draws in one part of the world do not change those in another. */
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

    /** Draws a number from both bounds and the numbers between them. */
    int between(int least, int most) {
        return random.nextInt(least, most + 1);
    }

    /** Draws a time between two bounds in milliseconds, and returns it in nanoseconds. */
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
