package io.quorumlock.waiting;

import io.quorumlock.lock.Acquisition.Held;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long the head of a queue sleeps at most before it looks again, whatever is announced (R12). Releases of this service are
 * announced, so that looking only bounds the harm of lost announcements. Those of other Redlock clients are not: the lock is
 * looked for more often the more often it changes hands.
 */
final class Polls {
    private static final Duration FIRST = Duration.ofMillis(50);
    private static final Duration SHORTEST = Duration.ofMillis(10);
    private static final Duration LONGEST = Duration.ofMillis(500);

    /** What is left of a lease is told in milliseconds, and answers take different times. */
    private static final Duration TOLERANCE = Duration.ofMillis(5);

    private final RandomGenerator random;
    private Duration ceiling = FIRST;

    Polls(RandomGenerator random) {
        this.random = random;
    }

    void reset() {
        ceiling = FIRST;
    }

    /** @param expected what would be left of the lock by now, had it not changed hands since the last look */
    Duration whileHeld(Held held, Duration expected) {
        return held.holder().isPresent()
                ? whileAnnounced(held.remaining())
                : whileUnannounced(held.remaining(), expected);
    }

    /** Returns how long to sleep while a lease of this service stands; a look must not be under way when it ends. */
    Duration whileAnnounced(Duration remaining) {
        Duration next = LONGEST.minus(LONGEST.multipliedBy(random.nextInt(20)).dividedBy(100));
        return remaining.compareTo(LONGEST.plus(next)) > 0 ? next : remaining;
    }

    private Duration whileUnannounced(Duration remaining, Duration expected) {
        boolean changed = remaining.compareTo(expected.plus(TOLERANCE)) > 0;
        ceiling = changed ? max(ceiling.dividedBy(2), SHORTEST) : min(ceiling.multipliedBy(2), LONGEST);
        long most = ceiling.toNanos();
        return min(Duration.ofNanos(most / 2 + random.nextLong(most / 2 + 1)), remaining);
    }

    private static Duration min(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }

    private static Duration max(Duration a, Duration b) {
        return a.compareTo(b) > 0 ? a : b;
    }
}
