// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.history;

import io.quorumlock.core.lock.LockKind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The check of S1 and K: in order of their start, each claim starts after the end of the earlier ones of other leases, except
 * of those that may hold the lock at the same time. It is exact, because it sorts and sweeps all claims.
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
        List<Claim> claims = calls.stream()
                .flatMap(call -> Stream.concat(ends.claim(call).stream(), ends.kept(call).stream()))
                .toList();
        Terms.byName(claims, claim -> claim.call().terms()).values().forEach(this::checkResource);
    }

    private void checkResource(List<Claim> claims) {
        claims.sort(Comparator.comparingLong(Claim::from));
        List<Claim> active = new ArrayList<>();
        for (Claim claim : claims) {
            active.removeIf(earlier -> earlier.until() <= claim.from());
            List<Claim> others = active.stream()
                    .filter(earlier -> !token(earlier).equals(token(claim)))
                    .toList();
            if (!mayJoin(claim, others)) {
                Claim other = others.get(0);
                long overlap = Math.min(claim.until(), other.until()) - claim.from();
                found.accept(new Violation(
                        Promise.S1,
                        claim.from(),
                        "two holders for " + overlap + " ns:\n  " + other.call() + "\n  " + claim.call()));
            }
            active.add(claim);
        }
    }

    private static boolean mayJoin(Claim claim, List<Claim> others) {
        LockKind kind = claim.call().terms().kind();
        long holders = others.stream().map(ExclusionCheck::token).distinct().count() + 1;
        long most = kind.type() == LockKind.Type.SHARED ? Long.MAX_VALUE : Math.max(1, kind.slots());
        return holders <= most
                && others.stream().allMatch(other -> other.call().terms().kind().equals(kind));
    }

    /** Returns the holder. A lock that is kept belongs to nobody. */
    private static String token(Claim claim) {
        String token = claim.call().terms().token();
        return claim.call().operation() == Operation.RELEASE ? token + " kept" : token;
    }
}
