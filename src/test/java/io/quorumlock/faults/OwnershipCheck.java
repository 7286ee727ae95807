// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import io.quorumlock.history.Claim;
import io.quorumlock.history.Promise;
import io.quorumlock.history.Violation;
import java.util.List;
import java.util.function.Predicate;

/**
 * The check of S4 for the token of one lease: a wrong token neither extends nor releases, a released lease is not
 * extended, and a valid lease is not lost. Also checks that a holder that repeats its acquire with a wait gets its
 * lease, even if others wait (L).
 */
final class OwnershipCheck {
    /**
     * The start of the message for a lost lease. The holder learns this in time, and no other client holds the lease
     * then.
     */
    static final String LEASE_LOST = "a valid lease was lost";

    private final Endings endings;
    private final List<InflictedFault> faults;
    private final List<Violation> violations;

    OwnershipCheck(Endings endings, List<InflictedFault> faults, List<Violation> violations) {
        this.endings = endings;
        this.faults = faults;
        this.violations = violations;
    }

    /** @param calls all calls with one token */
    void check(List<Call> calls) {
        List<Call> asked = calls.stream().filter(Call::isRequestForLease).toList();
        List<Call> released = calls.stream()
                .filter(call -> call.operation() == Operation.RELEASE && call.result() == Call.Result.OK)
                .toList();
        for (Call call : calls) {
            boolean extended = call.operation() == Operation.EXTEND && call.hasLease();
            boolean succeeded = extended || released.contains(call);
            if (succeeded && asked.stream().noneMatch(acquire -> acquire.invoked() <= call.returned())) {
                found(Promise.S4, "succeeded without a lease: " + call, call);
            }
            if (extended && released.stream().anyMatch(release -> isFinal(release, call, asked))) {
                found(Promise.S4, "extended after its release: " + call, call);
            }
        }
        calls.forEach(lease -> endings.claim(lease).ifPresent(claim -> checkClaim(claim, calls)));
    }

    /** Returns whether the release was confirmed before the extension, and no acquire can have restored the lease. */
    private static boolean isFinal(Call release, Call extension, List<Call> asked) {
        return release.returned() < extension.invoked()
                && asked.stream()
                        .filter(acquire -> acquire.invoked() < extension.returned())
                        .allMatch(acquire ->
                                acquire.result() != Call.Result.UNKNOWN && acquire.returned() < release.invoked());
    }

    private void checkClaim(Claim<Call> claim, List<Call> calls) {
        find(claim, calls, OwnershipCheck::isLost)
                .forEach(call -> found(Promise.S4, LEASE_LOST + both(claim, call), call));
        find(claim, calls, this::isRefusedToHolder)
                .forEach(call -> found(Promise.L, "refused to the holder itself" + both(claim, call), call));
    }

    /** Finds calls sent and answered within the claim. An event of a session only needs to arrive within it. */
    private static List<Call> find(Claim<Call> claim, List<Call> calls, Predicate<Call> kind) {
        return calls.stream()
                .filter(kind)
                .filter(call -> call.operation() == Operation.EVENT || call.invoked() >= claim.from())
                .filter(call -> call.returned() >= claim.from() && call.returned() < claim.until())
                .toList();
    }

    private static boolean isLost(Call call) {
        boolean extension = call.operation() == Operation.EXTEND || call.operation() == Operation.EVENT;
        return extension && call.isDenied();
    }

    /**
     * Returns whether the holder was refused its own lease. During faults of masters, a replica may not learn who holds
     * the lock.
     */
    private boolean isRefusedToHolder(Call call) {
        return call.isRequestForLease()
                && call.waitMs() > TimeCheck.LONGEST.toMillis()
                && call.status() == 423
                && faults.stream()
                        .noneMatch(fault -> fault.kind().victim == FaultKind.Victim.MASTER
                                && fault.from() < call.returned()
                                && fault.well() > call.invoked());
    }

    private static String both(Claim<Call> claim, Call call) {
        return ":\n  " + claim.call() + "\n  " + call;
    }

    private void found(Promise promise, String what, Call call) {
        violations.add(new Violation(promise, call.returned(), what));
    }
}
