// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import io.quorumlock.history.Claim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The ends of claims. A claim ends when its holder sends a call that can take effect after the start of the claim. A
 * release that was answered before the lease was requested, or that never reached the service, does not end it. A
 * forced release ends the claims of leases that existed while it ran, but no later one.
 */
final class Endings {
    private static final long NEVER = Long.MAX_VALUE;

    private final Map<String, List<Call>> byLease = new HashMap<>();
    private final Map<String, List<Call>> forced = new HashMap<>();

    Endings(List<Call> calls) {
        for (Call call : calls) {
            if (call.mayEndOwnLease()) {
                byLease.computeIfAbsent(call.lease(), any -> new ArrayList<>()).add(call);
            } else if (call.mayBreakLease()) {
                forced.computeIfAbsent(call.resource(), any -> new ArrayList<>())
                        .add(call);
            }
        }
    }

    /** Returns the claim by one answer: from the answer until {@code sent + ttl - drift}, or until it was given up. */
    Optional<Claim<Call>> claim(Call call) {
        return whole(call).flatMap(claim -> claim.endingBy(end(call)));
    }

    /** Returns the claim by one answer, regardless of its end. A lease that ended before the answer has no claim. */
    static Optional<Claim<Call>> whole(Call call) {
        if (!call.hasLease()) {
            return Optional.empty();
        }
        long end = call.invoked() + length(call);
        return new Claim<>(call, call.resource(), call.lease(), call.returned(), end).endingBy(end);
    }

    /** A replay has the remaining time of an earlier grant. The TTL of a waiter starts with its last attempt. */
    private static long length(Call call) {
        Duration ttl = Duration.ofMillis(call.ttlMs());
        return call.countsElapsedTime()
                ? TimeUnit.MILLISECONDS.toNanos(call.elapsedMs() + call.validityMs())
                : ttl.minus(Setup.DRIFT.of(ttl)).toNanos();
    }

    private long end(Call lease) {
        return Stream.concat(
                        byLease.getOrDefault(lease.lease(), List.of()).stream(),
                        forced.getOrDefault(lease.resource(), List.of()).stream())
                .filter(ending -> ending != lease && ending.effectUntil() > lease.begun())
                .mapToLong(Call::invoked)
                .min()
                .orElse(NEVER);
    }
}
