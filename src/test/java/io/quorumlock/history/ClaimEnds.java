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

    ClaimEnds(Collection<Call> all, HistoryLimits limits) {
        this.limits = limits;
        for (Call call : all) {
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

    /**
     * Returns the time in which nobody may hold the lock after a release that keeps it: from the answer to the end of the
     * time since the first such release. Other calls can delete the lease before it is kept.
     */
    Optional<Claim> kept(Call release) {
        long keep = release.terms().keep();
        if (release.operation() != Operation.RELEASE || release.outcome() != Outcome.DONE || keep == 0) {
            return Optional.empty();
        }
        List<Call> endings = byToken.getOrDefault(release.terms().token(), List.of()).stream()
                .filter(call -> call.sent() < release.answered())
                .toList();
        if (!endings.stream().allMatch(call -> call.terms().keep() == keep)) {
            return Optional.empty();
        }
        long first = endings.stream().mapToLong(Call::sent).min().orElse(release.sent());
        long broken = forced(release)
                .filter(call -> call.bounds().endsUntil() > first)
                .mapToLong(Call::sent)
                .min()
                .orElse(Bounds.NEVER);
        long end = first + (long) (limits.usable(keep) / (1 + release.clockError()));
        return new Claim(release, release.answered(), end).endingBy(Math.min(end, broken));
    }

    /** Returns the forced releases of any lock of a lease. With one of its locks, a lease of several is lost. */
    Stream<Call> forced(Call lease) {
        return lease.terms().names().stream().flatMap(name -> forced.getOrDefault(name, List.of()).stream());
    }

    private long end(Call lease) {
        return Stream.concat(byToken.getOrDefault(lease.terms().token(), List.of()).stream(), forced(lease))
                .filter(call -> call != lease
                        && call.bounds().endsUntil() > lease.bounds().asked())
                .mapToLong(Call::sent)
                .min()
                .orElse(Bounds.NEVER);
    }
}
