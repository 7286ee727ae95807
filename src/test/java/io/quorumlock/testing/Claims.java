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
 * A record of leases that finds overlaps (S1). A lease is valid from its answer until {@code sent + ttl - drift}, or
 * until its release is sent.
 */
public final class Claims {
    private static final double DRIFT_FACTOR = 0.01;
    private static final Duration DRIFT_CONSTANT = Duration.ofMillis(2);

    private final Map<String, Queue<Claim>> byResource = new ConcurrentHashMap<>();

    /** The validity period of one lease. */
    public static final class Claim {
        private final long asked;
        private final long from;
        private final long fence;
        private volatile long until;

        Claim(long asked, long from, long until, long fence) {
            this.asked = asked;
            this.from = from;
            this.until = until;
            this.fence = fence;
        }

        /** Ends the claim. Call this before the release is sent. */
        public void released() {
            until = Math.min(until, System.nanoTime());
        }
    }

    public Claim granted(String resource, LockClient.Answer lease, int ttlMs) {
        Duration ttl = Duration.ofMillis(ttlMs);
        long drift = (long) (ttl.toNanos() * DRIFT_FACTOR) + DRIFT_CONSTANT.toNanos();
        Claim claim = new Claim(
                lease.sent(),
                lease.received(),
                lease.sent() + ttl.toNanos() - drift,
                lease.body().path("fencingToken").asLong());
        byResource
                .computeIfAbsent(resource, name -> new ConcurrentLinkedQueue<>())
                .add(claim);
        return claim;
    }

    public int count() {
        return byResource.values().stream().mapToInt(Queue::size).sum();
    }

    /** Fails if two claims of one resource overlap (S1), or if a later claim has no larger fencing token (S3). */
    public void check() {
        checkExclusion();
        byResource.forEach(Claims::checkFences);
    }

    /** A claim answered before another one was requested must have the smaller fencing token. */
    private static void checkFences(String resource, Queue<Claim> claims) {
        List<Claim> asked = sorted(claims, Comparator.comparingLong(claim -> claim.asked));
        List<Claim> answered = sorted(claims, Comparator.comparingLong(claim -> claim.from));
        long largest = 0;
        int next = 0;
        for (Claim claim : asked) {
            while (answered.get(next).from < claim.asked) {
                largest = Math.max(largest, answered.get(next++).fence);
            }
            if (claim.fence <= largest) {
                throw new AssertionError("token " + claim.fence + " of " + resource + " after " + largest);
            }
        }
    }

    private static List<Claim> sorted(Queue<Claim> claims, Comparator<Claim> order) {
        return claims.stream().sorted(order).toList();
    }

    /**
     * Fails if two claims of one resource overlap (S1). Does not check fencing tokens, which some holders do not have.
     */
    public void checkExclusion() {
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
