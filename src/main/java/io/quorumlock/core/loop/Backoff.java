// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.core.loop;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * An exponential backoff with jitter: a delay is uniformly distributed between half of a ceiling and the ceiling, and
 * the ceiling doubles up to a maximum. The jitter prevents that clients that failed together retry together.
 */
public final class Backoff {
    private final Duration first;
    private final Duration longest;
    private final RandomGenerator random;
    private Duration ceiling;

    public Backoff(Duration first, Duration longest, RandomGenerator random) {
        this.first = first;
        this.longest = longest;
        this.random = random;
        this.ceiling = first;
    }

    /** Returns the next delay. */
    public Duration next() {
        long most = ceiling.toNanos();
        Duration doubled = ceiling.multipliedBy(2);
        ceiling = doubled.compareTo(longest) < 0 ? doubled : longest;
        return Duration.ofNanos(most / 2 + random.nextLong(most / 2 + 1));
    }

    /** Restarts with the first delay, after a success. */
    public void reset() {
        ceiling = first;
    }
}
