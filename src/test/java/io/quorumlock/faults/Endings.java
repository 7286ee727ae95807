package io.quorumlock.faults;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

    /** Returns the claim by one answer. */
    Optional<Claim> claim(Call call) {
        return Claim.of(call).map(claim -> claim.cut(end(call))).filter(claim -> claim.from() < claim.until());
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
