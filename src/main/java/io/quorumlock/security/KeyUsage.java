package io.quorumlock.security;

import io.quorumlock.security.Caller.WaitPermission;
import io.quorumlock.time.MonotonicTime;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** The current usage of this replica by one key. It is kept across reloads, which may change the quota. */
final class KeyUsage {
    private final TokenBucket requests;
    private final AtomicInteger waiters = new AtomicInteger();

    KeyUsage(MonotonicTime now) {
        requests = new TokenBucket(now);
    }

    /** Counts a request. Returns the time to wait if it exceeds the quota. */
    Optional<Duration> request(Quota quota, MonotonicTime now) {
        return quota.requestsPerSecond().flatMap(most -> requests.take(most, now));
    }

    /** Counts a waiting request until it releases its place. */
    WaitPermission enter(int most) {
        if (waiters.incrementAndGet() > most) {
            waiters.decrementAndGet();
            return new WaitPermission.Full(most);
        }
        AtomicBoolean left = new AtomicBoolean();
        return new WaitPermission.Place(() -> {
            if (left.compareAndSet(false, true)) {
                waiters.decrementAndGet();
            }
        });
    }

    /**
     * The limits of a key on this replica. Empty means unlimited.
     *
     * @param requestsPerSecond also the size of a burst
     * @param waiters concurrent waiting requests
     */
    record Quota(Optional<Integer> requestsPerSecond, Optional<Integer> waiters) {
        static final Quota NONE = new Quota(Optional.empty(), Optional.empty());
        static final int MOST_REQUESTS = 1_000_000;
        static final int MOST_WAITERS = 1_000_000;
    }

    /**
     * A rate limiter with a burst of one second (generic cell rate algorithm, ITU-T I.371). Thread-safe. Its only state is
     * the time at which the bucket is full.
     */
    static final class TokenBucket {
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
}
