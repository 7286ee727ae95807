// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.history;

import java.util.List;
import java.util.function.Consumer;

/**
 * The check of S4 for one token: without a lease it neither extends nor releases, a released or broken lease is not extended, and
 * a valid lease is not lost. Also checks that a holder that repeats its acquire gets its lease.
 */
final class OwnershipCheck {
    private final ClaimEnds ends;
    private final Consumer<Violation> found;

    OwnershipCheck(ClaimEnds ends, Consumer<Violation> found) {
        this.ends = ends;
        this.found = found;
    }

    /** @param calls all calls with one token */
    void check(List<Call> calls) {
        List<Call> requests = calls.stream().filter(Call::requestsLease).toList();
        List<Call> released = calls.stream()
                .filter(call -> call.operation() == Operation.RELEASE && call.outcome() == Outcome.DONE)
                .toList();
        for (Call call : calls) {
            boolean extended = call.operation() == Operation.EXTEND && call.hasLease();
            boolean succeeded = extended || released.contains(call);
            if (succeeded && requests.stream().noneMatch(request -> request.sent() <= call.answered())) {
                found(Promise.S4, "succeeded without a lease: " + call, call);
            }
            if (extended && released.stream().anyMatch(release -> isFinal(release, call, requests))) {
                found(Promise.S4, "extended after its release: " + call, call);
            }
            if (extended && ends.forced(call).anyMatch(forced -> isBroken(forced, call, requests))) {
                found(Promise.S4, "extended after a forced release: " + call, call);
            }
            ends.claim(call).ifPresent(claim -> checkClaim(claim, calls));
        }
    }

    private static boolean isBroken(Call forced, Call extension, List<Call> requests) {
        return forced.outcome() == Outcome.DONE && isFinal(forced, extension, requests);
    }

    /** Returns whether the release was confirmed before the extension, and no acquire can have restored the lease. */
    private static boolean isFinal(Call release, Call extension, List<Call> requests) {
        return release.answered() < extension.sent()
                && requests.stream()
                        .filter(request -> request.sent() < extension.answered())
                        .allMatch(request -> request.bounds().grantsUntil() < release.sent());
    }

    /**
     * Checks calls within the claim. A release that finds no lease is no violation: a master in quarantine does not
     * vote, but executes releases although it may have lost the lease.
     */
    private void checkClaim(Claim claim, List<Call> calls) {
        for (Call call : calls) {
            boolean within = call.requested() >= claim.from() && call.answered() < claim.until();
            boolean extension =
                    call.operation() == Operation.EXTEND || call.operation().isEvent();
            if (within && extension && call.outcome() == Outcome.LOST) {
                found(Promise.S4, Violation.LEASE_LOST + both(claim, call), call);
            }
            // A semaphore's attempt for another slot does not learn of the own one if masters fail.
            boolean anySlot = call.terms().kind().slots() > 0;
            if (within && call.requestsLease() && call.outcome() == Outcome.HELD && !anySlot) {
                found(Promise.REPEATS, Violation.OWN_LEASE_REFUSED + both(claim, call), call);
            }
        }
    }

    private static String both(Claim claim, Call call) {
        return ":\n  " + claim.call() + "\n  " + call;
    }

    private void found(Promise promise, String what, Call call) {
        found.accept(new Violation(promise, call.answered(), what));
    }
}
