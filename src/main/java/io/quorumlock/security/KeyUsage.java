package io.quorumlock.security;

import io.quorumlock.time.MonotonicTime;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Is what a key uses of this replica just now. It outlasts a reload of the keys, whose quotas may be others then. */
final class KeyUsage {
    private final TokenBucket requests;
    private final AtomicInteger waiters = new AtomicInteger();

    KeyUsage(MonotonicTime now) {
        requests = new TokenBucket(now);
    }

    /** Counts a request; where it is one too many, says how long until it is not. */
    Optional<Duration> request(Quota quota, MonotonicTime now) {
        return quota.requestsPerSecond().flatMap(most -> requests.take(most, now));
    }

    /** Counts one who waits, until the place is left. */
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
