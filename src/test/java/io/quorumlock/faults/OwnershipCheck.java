package io.quorumlock.faults;

import java.util.List;
import java.util.function.Predicate;

/**
 * Checks S4 for the token of one lease: no stranger extends or releases, a released lease is not extended, nothing takes a valid lease
 * away, and a holder that repeats its acquire and waits gets its lease, also behind others that wait (L).
 */
final class OwnershipCheck {
    private final Endings endings;
    private final List<InflictedFault> faults;
    private final List<Violation> violations;

    OwnershipCheck(Endings endings, List<InflictedFault> faults, List<Violation> violations) {
        this.endings = endings;
        this.faults = faults;
        this.violations = violations;
    }

    /** @param calls all with one token */
    void check(List<Call> calls) {
        List<Call> asked = calls.stream().filter(Call::isRequestForLease).toList();
        List<Call> released = calls.stream()
                .filter(call -> call.operation() == Operation.RELEASE && call.result() == Call.Result.OK)
                .toList();
        for (Call call : calls) {
            boolean extended = call.operation() == Operation.EXTEND && call.hasLease();
            boolean succeeded = extended || released.contains(call);
            if (succeeded && asked.stream().noneMatch(acquire -> acquire.invoked() <= call.returned())) {
                found(Promise.S4, "a stranger succeeded: " + call, call);
            }
            if (extended && released.stream().anyMatch(release -> isFinal(release, call, asked))) {
                found(Promise.S4, "extended after its release: " + call, call);
            }
        }
        calls.forEach(lease -> endings.claim(lease).ifPresent(claim -> checkClaim(claim, calls)));
    }

    /** Returns whether the release was confirmed before the extension, and no acquire can have brought the lease back. */
    private static boolean isFinal(Call release, Call extension, List<Call> asked) {
        return release.returned() < extension.invoked()
                && asked.stream()
                        .filter(acquire -> acquire.invoked() < extension.returned())
                        .allMatch(acquire ->
                                acquire.result() != Call.Result.UNKNOWN && acquire.returned() < release.invoked());
    }

    private void checkClaim(Claim claim, List<Call> calls) {
        find(claim, calls, OwnershipCheck::isTakenAway)
                .forEach(call -> found(Promise.S4, Violation.TAKEN_AWAY + both(claim, call), call));
        find(claim, calls, this::isRefusedToHolder)
                .forEach(call -> found(Promise.L, "refused to its own holder" + both(claim, call), call));
    }

    /** Finds calls that were sent and answered within the claim; an event of a session only needs to arrive in it. */
    private static List<Call> find(Claim claim, List<Call> calls, Predicate<Call> kind) {
        return calls.stream()
                .filter(kind)
                .filter(call -> call.operation() == Operation.EVENT || call.invoked() >= claim.from())
                .filter(call -> call.returned() >= claim.from() && call.returned() < claim.until())
                .toList();
    }

    private static boolean isTakenAway(Call call) {
        boolean extension = call.operation() == Operation.EXTEND || call.operation() == Operation.EVENT;
        return extension && call.isDenied();
    }

    /** While masters are bad a replica may not get to see who holds the lock, and refuses as it would refuse anybody. */
    private boolean isRefusedToHolder(Call call) {
        return call.isRequestForLease()
                && call.waitMs() > TimeCheck.LONGEST.toMillis()
                && call.status() == 423
                && faults.stream()
                        .noneMatch(fault -> fault.kind().victim == FaultKind.Victim.MASTER
                                && fault.from() < call.returned()
                                && fault.well() > call.invoked());
    }

    private static String both(Claim claim, Call call) {
        return ":\n  " + claim.call() + "\n  " + call;
    }

    private void found(Promise promise, String what, Call call) {
        violations.add(new Violation(promise, call.returned(), what));
    }
}
