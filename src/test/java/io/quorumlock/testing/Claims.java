// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import io.quorumlock.core.loop.Drift;
import io.quorumlock.history.Bounds;
import io.quorumlock.history.Call;
import io.quorumlock.history.CallResult;
import io.quorumlock.history.ExclusionCheck;
import io.quorumlock.history.FenceCheck;
import io.quorumlock.history.HistoryLimits;
import io.quorumlock.history.Operation;
import io.quorumlock.history.Outcome;
import io.quorumlock.history.Terms;
import io.quorumlock.history.Violation;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A record of leases that finds overlaps (S1). A lease is valid from its answer until {@code sent + ttl - drift}, or
 * until its release is sent. Thread-safe.
 */
public final class Claims {
    private static final HistoryLimits LIMITS =
            new HistoryLimits(new Drift(0.01, Duration.ofMillis(2)), 0, Duration.ZERO, 0, 0);

    private final Queue<Call> calls = new ConcurrentLinkedQueue<>();
    private final AtomicInteger count = new AtomicInteger();

    /** A lease that its client may release. */
    public final class Holding {
        private final Terms terms;

        private Holding(Terms terms) {
            this.terms = terms;
        }

        /** Ends the claim. Call this before the release is sent. */
        public void released() {
            long now = System.nanoTime();
            add(Operation.RELEASE, terms, now, now, CallResult.without(Outcome.UNANSWERED, ""));
        }
    }

    public Holding granted(String resource, LockClient.Answer lease, int ttlMs) {
        String number = Integer.toString(count.incrementAndGet());
        Terms terms = Terms.of(resource, number, Duration.ofMillis(ttlMs));
        long fence = lease.body().path("fencingToken").asLong();
        CallResult result = new CallResult(Outcome.DONE, lease.body().toString(), fence, 0, 0, 0, 0);
        add(Operation.ACQUIRE, terms, lease.sent(), lease.received(), result);
        return new Holding(terms);
    }

    private void add(Operation operation, Terms terms, long sent, long answered, CallResult result) {
        Bounds bounds = Bounds.observed(operation, terms, sent, answered, result, Duration.ZERO);
        calls.add(new Call("", 0, sent, 0, operation, terms, sent, answered, result, bounds));
    }

    public int count() {
        return count.get();
    }

    /** Fails if two claims of one resource overlap (S1), or if a later claim has no larger fencing token (S3). */
    public void check() {
        calls.stream()
                .filter(call -> call.hasLease() && call.result().fence() <= 0)
                .forEach(call -> {
                    throw new AssertionError("no fencing token: " + call);
                });
        checkExclusion();
        new FenceCheck(Claims::fail).check(calls);
    }

    /**
     * Fails if two claims of one resource overlap (S1). Does not check fencing tokens, which some holders do not have.
     */
    public void checkExclusion() {
        new ExclusionCheck(LIMITS, Claims::fail).check(calls);
    }

    private static void fail(Violation violation) {
        throw new AssertionError(violation.toString());
    }
}
