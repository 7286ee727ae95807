// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.history;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The check of S1 and K: in order of their start, each claim starts after the end of the latest earlier one of another lease.
 * It is exact, because it sorts and sweeps all claims.
 */
public final class ExclusionCheck {
    private final HistoryLimits limits;
    private final Consumer<Violation> found;

    public ExclusionCheck(HistoryLimits limits, Consumer<Violation> found) {
        this.limits = limits;
        this.found = found;
    }

    public void check(Collection<Call> calls) {
        check(calls, new ClaimEnds(calls, limits));
    }

    void check(Collection<Call> calls, ClaimEnds ends) {
        calls.stream()
                .flatMap(call -> Stream.concat(ends.claim(call).stream(), ends.kept(call).stream()))
                .collect(Collectors.groupingBy(claim -> claim.call().terms().resource()))
                .values()
                .forEach(this::checkResource);
    }

    private void checkResource(List<Claim> claims) {
        claims.sort(Comparator.comparingLong(Claim::from));
        Claim longest = claims.get(0);
        for (Claim claim : claims) {
            if (claim.from() < longest.until() && !token(claim).equals(token(longest))) {
                long overlap = Math.min(claim.until(), longest.until()) - claim.from();
                found.accept(new Violation(
                        Promise.S1,
                        claim.from(),
                        "two holders for " + overlap + " ns:\n  " + longest.call() + "\n  " + claim.call()));
            }
            longest = claim.until() > longest.until() ? claim : longest;
        }
    }

    /** Returns the holder. A lock that is kept belongs to nobody. */
    private static String token(Claim claim) {
        String token = claim.call().terms().token();
        return claim.call().operation() == Operation.RELEASE ? token + " kept" : token;
    }
}
