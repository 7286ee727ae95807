package io.quorumlock.faults;

import java.util.List;

/**
 * Checks S4 for one lease's token: nobody extends or releases what was never asked for, nothing is extended after its release,
 * and nothing takes a valid lease away.
 */
final class OwnershipCheck {
    private static final long NEVER = Long.MAX_VALUE;

    private final List<Violation> violations;

    OwnershipCheck(List<Violation> violations) {
        this.violations = violations;
    }

    /** @param calls all with one token */
    void check(List<Call> calls) {
        long asked = calls.stream()
                .filter(call -> call.operation() == Operation.ACQUIRE)
                .mapToLong(Call::invoked)
                .min()
                .orElse(NEVER);
        long released = releaseConfirmed(calls);
        for (Call call : calls) {
            boolean succeeded = call.operation() != Operation.ACQUIRE && call.result() == Call.Result.OK;
            if (succeeded && asked > call.returned()) {
                found("a stranger succeeded: " + call, call);
            }
            if (succeeded && call.operation() == Operation.EXTEND && call.invoked() > released) {
                found("extended after its release: " + call, call);
            }
        }
        checkNotDenied(calls);
    }

    /** Finds when it was answered that the lease is gone; while an acquire may still be under way it can come back. */
    private static long releaseConfirmed(List<Call> calls) {
        boolean mayComeBack = calls.stream()
                .anyMatch(call -> call.operation() == Operation.ACQUIRE && call.result() == Call.Result.UNKNOWN);
        return calls.stream()
                .filter(call -> !mayComeBack && call.operation() == Operation.RELEASE)
                .filter(call -> call.result() == Call.Result.OK)
                .mapToLong(Call::returned)
                .min()
                .orElse(NEVER);
    }

    private void checkNotDenied(List<Call> calls) {
        long givenUp = calls.stream()
                .filter(call -> call.operation() == Operation.RELEASE)
                .mapToLong(Call::invoked)
                .min()
                .orElse(NEVER);
        for (Call lease : calls) {
            Claim.of(lease).ifPresent(claim -> calls.stream()
                    .filter(call -> call.operation() == Operation.EXTEND && call.isDenied())
                    .filter(call -> call.invoked() >= claim.from() && call.returned() < claim.until())
                    .filter(call -> call.returned() < givenUp)
                    .forEach(call -> found(Violation.TAKEN_AWAY + ":\n  " + lease + "\n  " + call, call)));
        }
    }

    private void found(String what, Call call) {
        violations.add(new Violation(Promise.S4, call.returned(), what));
    }
}
