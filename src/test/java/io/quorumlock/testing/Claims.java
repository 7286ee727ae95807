package io.quorumlock.testing;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Remembers for how long each holder could count on its lease, by one clock, and finds two that overlap (S1): a lease is
 * claimed from its answer until {@code sent + ttl - drift}, or until its release was sent.
 */
public final class Claims {
    private static final double DRIFT_FACTOR = 0.01;
    private static final Duration DRIFT_CONSTANT = Duration.ofMillis(2);

    private final Map<String, Queue<Claim>> byResource = new ConcurrentHashMap<>();

    /** Is one holder's time. */
    public static final class Claim {
        private final long from;
        private volatile long until;

        Claim(long from, long until) {
            this.from = from;
            this.until = until;
        }

        /** Ends the claim: call it before the release is sent. */
        public void released() {
            until = Math.min(until, System.nanoTime());
        }
    }

    public Claim granted(String resource, LockClient.Answer lease, int ttlMs) {
        Duration ttl = Duration.ofMillis(ttlMs);
        long drift = (long) (ttl.toNanos() * DRIFT_FACTOR) + DRIFT_CONSTANT.toNanos();
        Claim claim = new Claim(lease.received(), lease.sent() + ttl.toNanos() - drift);
        byResource
                .computeIfAbsent(resource, name -> new ConcurrentLinkedQueue<>())
                .add(claim);
        return claim;
    }

    public int count() {
        return byResource.values().stream().mapToInt(Queue::size).sum();
    }

    /** Fails where two claims of one resource overlap. */
    public void check() {
        byResource.forEach((resource, claims) -> {
            List<Claim> sorted = new ArrayList<>(claims);
            sorted.removeIf(claim -> claim.until - claim.from <= 0);
            sorted.sort(Comparator.comparingLong(claim -> claim.from));
            for (int i = 1; i < sorted.size(); i++) {
                long overlap = sorted.get(i - 1).until - sorted.get(i).from;
                if (overlap > 0) {
                    throw new AssertionError("two holders of " + resource + " for " + overlap + " ns");
                }
            }
        });
    }
}
