// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http.keys;

import io.quorumlock.core.loop.MonotonicTime;
import io.quorumlock.http.keys.Caller.PlacePermission;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** The current usage of this replica by one key. It is kept across reloads, which may change the quota. */
final class KeyUsage {
    private final TokenBucket requests;
    private final Places waiters = new Places();
    private final Places streams = new Places();

    KeyUsage(MonotonicTime now) {
        requests = new TokenBucket(now);
    }

    /** Counts a request. Returns the time to wait if it exceeds the quota. */
    Optional<Duration> request(Quota quota, MonotonicTime now) {
        return quota.requestsPerSecond().flatMap(most -> requests.take(most, now));
    }

    /** The places for waiting requests. */
    Places waiters() {
        return waiters;
    }

    /** The places for event streams and sessions. */
    Places streams() {
        return streams;
    }

    /** A counter of what is in use at the same time. Thread-safe. */
    static final class Places {

        private final AtomicInteger taken = new AtomicInteger();

        /** Takes a place until it is released, unless the limit is reached. */
        PlacePermission enter(Optional<Integer> limit) {
            return limit.map(this::enter).orElse(PlacePermission.UNCOUNTED);
        }

        private PlacePermission enter(int most) {
            if (taken.incrementAndGet() > most) {
                taken.decrementAndGet();
                return new PlacePermission.Full(most);
            }
            AtomicBoolean left = new AtomicBoolean();
            return new PlacePermission.Place(() -> {
                if (left.compareAndSet(false, true)) {
                    taken.decrementAndGet();
                }
            });
        }
    }

    /**
     * The limits of a key on this replica. Empty means unlimited.
     *
     * @param requestsPerSecond also the size of a burst
     * @param waiters concurrent waiting requests
     * @param streams concurrent event streams and sessions
     */
    record Quota(Optional<Integer> requestsPerSecond, Optional<Integer> waiters, Optional<Integer> streams) {
        static final Quota NONE = new Quota(Optional.empty(), Optional.empty(), Optional.empty());
        static final int MOST_REQUESTS = 1_000_000;
        static final int MOST_PLACES = 1_000_000;
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
