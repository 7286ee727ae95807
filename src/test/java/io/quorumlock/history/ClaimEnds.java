// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.history;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The ends of claims. A claim ends when its holder sends a call that can end the lease, or when an operator sends a
 * forced release that can.
 */
final class ClaimEnds {
    private final HistoryLimits limits;
    private final Map<String, List<Call>> byToken = new HashMap<>();
    private final Map<String, List<Call>> forced = new HashMap<>();

    ClaimEnds(Collection<Call> calls, HistoryLimits limits) {
        this.limits = limits;
        for (Call call : calls) {
            if (call.bounds().endsUntil() > 0) {
                boolean force = call.operation() == Operation.BREAK;
                String key = force ? call.terms().resource() : call.terms().token();
                (force ? forced : byToken)
                        .computeIfAbsent(key, any -> new ArrayList<>())
                        .add(call);
            }
        }
    }

    /** Returns the claim by the answer, until it was given up. */
    Optional<Claim> claim(Call call) {
        return call.claim(limits).flatMap(claim -> claim.endingBy(end(call)));
    }

    private long end(Call lease) {
        return Stream.concat(
                        byToken.getOrDefault(lease.terms().token(), List.of()).stream(),
                        forced.getOrDefault(lease.terms().resource(), List.of()).stream())
                .filter(call -> call != lease
                        && call.bounds().endsUntil() > lease.bounds().asked())
                .mapToLong(Call::sent)
                .min()
                .orElse(Bounds.NEVER);
    }
}
