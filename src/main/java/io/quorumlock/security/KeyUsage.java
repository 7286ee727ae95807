package io.quorumlock.security;

import io.quorumlock.time.MonotonicTime;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

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
}
