// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.history;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * The check of S1: in order of their start, each claim starts after the end of the latest earlier one of another lease.
 * It is exact, because it sorts and sweeps all claims.
 */
public final class ExclusionCheck {
    private final Consumer<Violation> found;

    public ExclusionCheck(Consumer<Violation> found) {
        this.found = found;
    }

    public void check(Collection<? extends Claim<?>> claims) {
        claims.stream().collect(Collectors.groupingBy(Claim::resource)).values().forEach(this::checkResource);
    }

    private void checkResource(Collection<? extends Claim<?>> claims) {
        List<Claim<?>> sorted = claims.stream()
                .<Claim<?>>map(claim -> claim)
                .sorted(Comparator.comparingLong(Claim::from))
                .toList();
        Claim<?> longest = sorted.get(0);
        for (Claim<?> claim : sorted) {
            if (claim.from() < longest.until() && !claim.lease().equals(longest.lease())) {
                long overlap = Math.min(claim.until(), longest.until()) - claim.from();
                found.accept(new Violation(
                        Promise.S1,
                        claim.from(),
                        "two holders for " + overlap + " ns:\n  " + longest.call() + "\n  " + claim.call()));
            }
            longest = claim.until() > longest.until() ? claim : longest;
        }
    }
}
