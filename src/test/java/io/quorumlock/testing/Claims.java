// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import io.quorumlock.history.Claim;
import io.quorumlock.history.ExclusionCheck;
import io.quorumlock.history.FenceCheck;
import io.quorumlock.history.Violation;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A record of leases that finds overlaps (S1). A lease is valid from its answer until {@code sent + ttl - drift}, or
 * until its release is sent. Thread-safe.
 */
public final class Claims {
    private static final double DRIFT_FACTOR = 0.01;
    private static final Duration DRIFT_CONSTANT = Duration.ofMillis(2);

    private final Queue<Holding> all = new ConcurrentLinkedQueue<>();

    /** A lease that its client may release. */
    public static final class Holding {
        private final String resource;
        private final LockClient.Answer lease;
        private volatile long until;

        Holding(String resource, LockClient.Answer lease, long until) {
            this.resource = resource;
            this.lease = lease;
            this.until = until;
        }

        /** Ends the claim. Call this before the release is sent. */
        public void released() {
            until = Math.min(until, System.nanoTime());
        }

        private Claim<String> claim() {
            return new Claim<>(lease.body().toString(), resource, this, lease.received(), until);
        }

        private FenceCheck.Fenced fenced() {
            long fence = lease.body().path("fencingToken").asLong();
            if (fence <= 0) {
                throw new AssertionError("no fencing token: " + lease.body());
            }
            return new FenceCheck.Fenced(lease.body(), resource, this, lease.sent(), lease.received(), fence);
        }
    }

    public Holding granted(String resource, LockClient.Answer lease, int ttlMs) {
        Duration ttl = Duration.ofMillis(ttlMs);
        long drift = (long) (ttl.toNanos() * DRIFT_FACTOR) + DRIFT_CONSTANT.toNanos();
        Holding holding = new Holding(resource, lease, lease.sent() + ttl.toNanos() - drift);
        all.add(holding);
        return holding;
    }

    public int count() {
        return all.size();
    }

    /** Fails if two claims of one resource overlap (S1), or if a later claim has no larger fencing token (S3). */
    public void check() {
        checkExclusion();
        new FenceCheck(Claims::fail).check(all.stream().map(Holding::fenced).toList());
    }

    /**
     * Fails if two claims of one resource overlap (S1). Does not check fencing tokens, which some holders do not have.
     */
    public void checkExclusion() {
        new ExclusionCheck(Claims::fail)
                .check(all.stream()
                        .map(Holding::claim)
                        .filter(claim -> claim.from() < claim.until())
                        .toList());
    }

    private static void fail(Violation violation) {
        throw new AssertionError(violation.toString());
    }
}
