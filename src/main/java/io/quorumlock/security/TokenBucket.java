package io.quorumlock.security;

import io.quorumlock.time.MonotonicTime;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Admits so many requests a second, and as many at once after a pause. It remembers only when it would be full again: the
 * generic cell rate algorithm (ITU-T I.371). May be used from any thread.
 */
final class TokenBucket {
    private static final Duration BURST = Duration.ofSeconds(1);

    private final AtomicReference<MonotonicTime> full;

    TokenBucket(MonotonicTime now) {
        full = new AtomicReference<>(now);
    }

    /** Takes one; where there is none, says how long until there is. */
    Optional<Duration> take(int perSecond, MonotonicTime now) {
        Duration one = BURST.dividedBy(perSecond);
        while (true) {
            MonotonicTime seen = full.get();
            MonotonicTime from = seen.isBefore(now) ? now : seen;
            Duration missing = from.plus(one).since(now).minus(BURST);
            if (missing.compareTo(Duration.ZERO) > 0) {
                return Optional.of(missing);
            }
            if (full.compareAndSet(seen, from.plus(one))) {
                return Optional.empty();
            }
        }
    }
}
