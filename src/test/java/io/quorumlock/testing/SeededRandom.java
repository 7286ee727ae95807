// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/** The random choices of a seed. */
public final class SeededRandom {
    private final SplittableRandom random;

    public SeededRandom(long seed) {
        this(new SplittableRandom(seed));
    }

    private SeededRandom(SplittableRandom random) {
        this.random = random;
    }

    /** Returns an independent source, so that draws in one part of a test do not change those in another. */
    public SeededRandom split() {
        return new SeededRandom(random.split());
    }

    public RandomGenerator generator() {
        return random.split();
    }

    /** Returns true once in this many times. */
    public boolean onceIn(int many) {
        return random.nextInt(many) == 0;
    }

    public boolean percent(int percent) {
        return random.nextInt(100) < percent;
    }

    /** Draws a number from both bounds and the numbers between them. */
    public int between(int least, int most) {
        return random.nextInt(least, most + 1);
    }

    /** Draws a number from both bounds and the numbers between them. */
    public long between(long least, long most) {
        return random.nextLong(least, most + 1);
    }

    /** Draws a time between two bounds in milliseconds, and returns it in nanoseconds. */
    public long millis(long least, long most) {
        return between(TimeUnit.MILLISECONDS.toNanos(least), TimeUnit.MILLISECONDS.toNanos(most));
    }

    public double around(double center, double error) {
        return center + (2 * random.nextDouble() - 1) * error;
    }

    public <T> T of(List<T> items) {
        return items.get(random.nextInt(items.size()));
    }
}
