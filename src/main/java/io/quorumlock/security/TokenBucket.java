package io.quorumlock.security;

import io.quorumlock.time.MonotonicTime;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A rate limiter with a burst of one second (generic cell rate algorithm, ITU-T I.371). Thread-safe. Its only state is
 * the time at which the bucket is full.
 */
final class TokenBucket {
    private static final Duration BURST = Duration.ofSeconds(1);

    private final AtomicReference<MonotonicTime> full;

    TokenBucket(MonotonicTime now) {
        full = new AtomicReference<>(now);
    }

    /** Takes a token. Returns the time to wait if there is none. */
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
